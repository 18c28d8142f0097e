internal import CrashService

/// The program's commands that a server runs in separate processes.
package enum ServerChildren {
  /// Processes the submissions in the queue.
  package static let worker = "work"
  /// Prints the facts of a debug file, in a sandbox.
  package static let symbolFacts = "symbol-facts"
  /// Prints the functions and lines at offsets of an image, in a sandbox.
  package static let symbolLookUp = "symbol-lookup"
}
