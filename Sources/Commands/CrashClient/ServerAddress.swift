internal import CrashService
package import Arguments

/// The address of a server, as it is given on a command line.
package struct ServerAddress: Sendable {
  /// The address, without a slash at its end.
  package let text: String

  /// - Parameter option: The option with which it was given.
  /// - Throws: `UsageError` for an invalid address.
  package init(_ text: String, option: String) throws(UsageError) {
    guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
      throw UsageError("\(option) begins with https:// or http://")
    }
    guard !text.contains(where: { $0 == "?" || $0 == "#" || $0.isWhitespace }) else {
      throw UsageError("\(option) is the address alone, without a query")
    }
    self.text = String(text.reversed().drop { $0 == "/" }.reversed())
  }

  /// - Returns: The query with the question mark; values that are `nil` are left out.
  package static func query(_ items: [(name: String, value: String?)]) -> String {
    let given = items.compactMap { item in item.value.map { "\(item.name)=\(escaped($0))" } }
    return given.isEmpty ? "" : "?" + given.joined(separator: "&")
  }

  /// Escapes a text for a URL. Source: RFC 3986 2.3.
  package static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95, 126: bytes.append(byte)
      default: bytes += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
