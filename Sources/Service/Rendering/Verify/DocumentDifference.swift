internal import Bytes
internal import CrashService
internal import JSON

/// A difference between two documents.
package struct DocumentDifference: Equatable {
  /// `threads[0].frames[3].function`
  package let path: String
  /// The values as JSON; `nil` if one document has none.
  package let stored: String?
  package let now: String?

  /// Returns the first differences between two documents, in order.
  ///
  /// - Parameter limit: The maximum number of differences.
  package static func first(
    _ limit: Int, between stored: [UInt8], and now: [UInt8]
  ) -> [DocumentDifference] {
    guard let one = try? JSONDocument.parse(ByteView(stored)).value,
      let other = try? JSONDocument.parse(ByteView(now)).value
    else { return [] }
    var found: [DocumentDifference] = []
    compare(one, other, at: "", limit: limit, into: &found)
    return found
  }

  /// Compares two values; the recursion is limited by the depth to which documents are read.
  private static func compare(
    _ one: JSONValue?, _ other: JSONValue?, at path: String, limit: Int,
    into found: inout [DocumentDifference]
  ) {
    guard found.count < limit, one != other else { return }
    if let left = one?.object, let right = other?.object {
      var keys: [String] = []
      for member in left + right where !keys.contains(member.key) { keys.append(member.key) }
      for key in keys {
        let memberPath = path.isEmpty ? key : "\(path).\(key)"
        compare(one?[key], other?[key], at: memberPath, limit: limit, into: &found)
      }
    } else if let left = one?.array, let right = other?.array {
      for index in 0..<max(left.count, right.count) {
        compare(one?[index], other?[index], at: "\(path)[\(index)]", limit: limit, into: &found)
      }
    } else {
      found.append(DocumentDifference(path: path, stored: text(one), now: text(other)))
    }
  }

  private static func text(_ value: JSONValue?) -> String? {
    switch value {
    case nil: nil
    case .null?: "null"
    case .bool(let value)?: String(value)
    case .integer(let value)?: String(value)
    case .unsigned(let value)?: String(value)
    case .double(let value)?: String(value)
    case .string(let value)?: value
    case .array(let elements)?: "\(elements.count) elements"
    case .object(let members)?: "\(members.count) fields"
    }
  }

  package init(path: String, stored: String?, now: String?) {
    self.path = path
    self.stored = stored
    self.now = now
  }
}
