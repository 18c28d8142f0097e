// Adds up depths in a goroutine; a buoy that is not there has none.
package main

import "os"

type buoy struct{ depth int }

type chart struct{ buoys map[string]*buoy }

//go:noinline
func (c *chart) depth(name string) int { return c.buoys[name].depth }

//go:noinline
func sum(c *chart, names []string) int {
	total := 0
	for _, name := range names {
		total += c.depth(name)
	}
	return total
}

func main() {
	c := &chart{map[string]*buoy{"north": {12}, "south": {7}}}
	result := make(chan int)
	go func() { result <- sum(c, os.Args[1:]) }()
	println(<-result)
}
