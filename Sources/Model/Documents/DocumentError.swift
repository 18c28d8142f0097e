/// Why a document could not be read.
package struct DocumentError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Problem: Equatable, Sendable {
    /// A member that must be there is not.
    case missing
    /// A text has fewer characters than this.
    case short(Int)
    /// The value is not what is wanted.
    case wrong(String)
    /// The value is not one of the words.
    case unknownWord([String])
  }

  /// Where in the document: `groups[3].versions[0].reports`; empty for the document itself.
  package var path: String
  package let problem: Problem

  package init(_ problem: Problem, at path: String = "") {
    self.path = path
    self.problem = problem
  }

  package static func wrong(_ wanted: String) -> DocumentError { DocumentError(.wrong(wanted)) }

  /// The same error, seen from the document that the value is in.
  package func within(_ container: String) -> DocumentError {
    let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
    return DocumentError(problem, at: container + separator + path)
  }

  /// The member of the document itself in which the error is; `nil` for an error of the whole document.
  package var member: String? {
    let name = path.prefix { $0 != "." && $0 != "[" }
    return name.isEmpty ? nil : String(name)
  }

  package var description: String {
    let name = path.isEmpty ? "the document" : "'\(path)'"
    return switch problem {
    case .missing: "\(name) is missing"
    case .short(1): "\(name) is empty"
    case .short(let least): "\(name) has fewer than \(least) characters"
    case .wrong(let wanted): "\(name) is not \(wanted)"
    case .unknownWord(let words): "\(name) is not one of \(words.joined(separator: ", "))"
    }
  }
}
