// Crashes in the way that its argument names. Built and run by make-languages.sh.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"
)

type Desk struct{ lines []int }

func (d *Desk) line(n int) int { return d.lines[n] }

type Till[T any] struct{ value *T }

func (t *Till[T]) Read() T { return *t.value }

func charge(d *Desk) {
	defer func() {
		if cause := recover(); cause != nil {
			panic(fmt.Errorf("charge desk 3: %v", cause))
		}
	}()
	fmt.Println(d.line(7))
}

func deadlock() {
	wait := make(chan int)
	go func() { select {} }()
	<-wait
}

func race() {
	total := 0
	done := make(chan bool)
	go func() { total++; done <- true }()
	total++
	<-done
	fmt.Println(total)
}

func main() {
	switch os.Args[1] {
	case "index":
		charge(&Desk{})
	case "null":
		ready := make(chan bool)
		go func() {
			<-ready
			fmt.Println((&Till[int]{}).Read())
		}()
		close(ready)
		time.Sleep(time.Second)
	case "deadlock":
		deadlock()
	case "race":
		race()
	case "words":
		panic(errors.New("no boat\nin the harbour"))
	}
}
