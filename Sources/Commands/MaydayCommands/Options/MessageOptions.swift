import Terminal
import Arguments

/// Message options of a command that prints no data.
struct MessageOptions {
  @Option("--color", help: "When to use colour; auto means on a terminal unless NO_COLOR is set.")
  var colour = ColourChoice.auto

  var console: Console { Console(colour: colour) }
}
