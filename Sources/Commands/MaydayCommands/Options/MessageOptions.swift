import Terminal
import Arguments

/// How a command that prints no data shows messages.
struct MessageOptions {
  @Option("--color", help: "When to use colour; auto means on a terminal unless NO_COLOR is set.")
  var colour = ColourChoice.auto

  var console: Console { Console(colour: colour) }
}
