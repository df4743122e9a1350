// Command functions prints where the functions and types of Go files are, as the standard library's
// parser has it: a JSON line for each. Paths are read from standard input, one a line.
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
)

type definition struct {
	Path string `json:"path"`
	Name string `json:"name"`
	Kind string `json:"kind"`
	Line int    `json:"line"`
	End  int    `json:"end"`
}

func main() {
	encoder := json.NewEncoder(os.Stdout)
	paths := bufio.NewScanner(os.Stdin)
	for paths.Scan() {
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, paths.Text(), nil, parser.SkipObjectResolution)
		if err != nil {
			log.Print(err)
			continue
		}
		say := func(name *ast.Ident, kind string, node ast.Node) {
			first, last := positions.Position(node.Pos()), positions.Position(node.End())
			_ = encoder.Encode(definition{paths.Text(), name.Name, kind, first.Line, last.Line})
		}
		for _, declaration := range file.Decls {
			describe(declaration, say)
		}
	}
	if err := paths.Err(); err != nil {
		log.Fatal(err)
	}
}

// describe says every function and type of the file's outermost scope.
func describe(declaration ast.Decl, say func(*ast.Ident, string, ast.Node)) {
	switch one := declaration.(type) {
	case *ast.FuncDecl:
		say(one.Name, "function", one)
	case *ast.GenDecl:
		for _, spec := range one.Specs {
			if typed, ok := spec.(*ast.TypeSpec); ok {
				say(typed.Name, "type", typed)
				if promised, ok := typed.Type.(*ast.InterfaceType); ok {
					describeMethods(promised, say)
				}
			}
		}
	}
}

// describeMethods says the methods that an interface asks for: no functions, but something that can
// confirm that there is one of that name.
func describeMethods(promised *ast.InterfaceType, say func(*ast.Ident, string, ast.Node)) {
	for _, method := range promised.Methods.List {
		for _, name := range method.Names {
			say(name, "other", method)
		}
	}
}
