package ferry

import (
	"net"
	"time"
)

// Server answers timetable requests over TCP.
type Server struct {
	address string
	timeout time.Duration
}

// Listen opens the socket and hands each connection to its own goroutine.
func (s *Server) Listen() error {
	listener, err := net.Listen("tcp", s.address)
	if err != nil {
		return err
	}
	for {
		connection, err := listener.Accept()
		if err != nil {
			return err
		}
		go s.answer(connection)
	}
}

// answer sends the next departure and closes the connection.
func (s *Server) answer(connection net.Conn) {
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(s.timeout))
	connection.Write([]byte(nextDeparture(time.Now())))
}

func nextDeparture(now time.Time) string {
	return now.Truncate(20 * time.Minute).Add(20 * time.Minute).Format("15:04")
}
