// Crashes in a goroutine below interfaces and closures.
package main

import "os"

type shape interface{ area(int) int }
type square struct{ side *int }

//go:noinline
func (s square) area(n int) int {
	if n == 0 {
		return *s.side
	}
	return apply(func(m int) int { return s.area(m) }, n-1)
}

//go:noinline
func apply(f func(int) int, n int) int { return f(n) + 1 }

func main() {
	if len(os.Args) > 1 && os.Args[1] == "thread" {
		done := make(chan int)
		go func() { done <- square{}.area(4) }()
		<-done
	}
	println(square{}.area(4))
}
