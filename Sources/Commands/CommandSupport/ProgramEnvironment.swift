internal import Glibc

/// The environment of this process.
package enum ProgramEnvironment {
  /// The environment variables that set options.
  package static var variables: [String: String] {
    var found: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if text.hasPrefix("MAYDAY_"), let equals = text.firstIndex(of: "=") {
        found[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return found
  }
}
