internal import CrashService

/// The commands of the program that a server runs in processes of their own.
package enum ServerChildren {
  /// Reads and processes what the queue holds.
  package static let worker = "work"
  /// Prints what is known of a debug file, in a sandbox.
  package static let symbolFacts = "symbol-facts"
}
