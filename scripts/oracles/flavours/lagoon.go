// A small program of a language with its own compiler and runtime library.
package main

import (
	"fmt"
	"os"
	"sort"
)

type berth struct{ depth, length int }

type vessel interface{ draught(load int) int }

type barge struct{ berths []berth }

func rise(level int) int { return level*7 + 3 }

func (b *barge) draught(load int) int {
	sum := 0
	for _, berth := range b.berths {
		sum += rise(berth.depth)*load + berth.length
	}
	return sum
}

func pick[T any](list []T, keep func(T) bool) []T {
	var kept []T
	for _, item := range list {
		if keep(item) {
			kept = append(kept, item)
		}
	}
	return kept
}

func main() {
	fleet := map[string]vessel{}
	for i := range os.Args {
		b := &barge{berths: []berth{{i, i * 3}, {i + 2, 5}}}
		fleet[fmt.Sprint("barge ", i)] = b
	}
	names := make([]string, 0)
	for name := range fleet {
		names = append(names, name)
	}
	sort.Strings(names)
	names = pick(names, func(name string) bool { return len(name) > 2 })
	defer func() { fmt.Println(recover()) }()
	for _, name := range names {
		fmt.Println(name, fleet[name].draught(len(names)))
	}
	panic(names[0])
}
