/// Result of a check for updates, for the app and its user.
public enum UpdateEvent: Equatable, Sendable {
  /// A dialog offers the release of this number.
  case offered(Int, isMandatory: Bool)
  /// The app is informed that there is no release.
  case noRelease
  /// Nothing happens, for this reason.
  case ignored(String)
  /// The response could crash the app or is not understood: an error of the server.
  case broken(String)
  /// The server is asked again later, and nothing is forgotten.
  case retried(Int)
  /// Update token, group and postponement are deleted: a tester has to sign in again.
  case forgotten(Int)
  /// The browser has to open this path first.
  case signIn(String)
}

/// How a client's requests reach the server: method, path with query, header lines.
public typealias UpdateTransport = (String, String, [String]) -> WebClient.Answer?

/// Handling of a given address in both SDKs.
public enum UpdateAddress {
  /// Percent-encoded except for unreserved characters (RFC 3986 2.3).
  public static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      if isPlain || "-_.~".unicodeScalars.contains(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return result
  }

  public static func decoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The items of the query of an address.
  public static func query(of address: some StringProtocol) -> [String: String] {
    guard let mark = address.firstIndex(of: "?") else { return [:] }
    var items: [String: String] = [:]
    for item in address[address.index(after: mark)...].prefix(while: { $0 != "#" })
      .split(separator: "&")
    {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      items[decoded(parts[0])] = parts.count > 1 ? decoded(parts[1]) : ""
    }
    return items
  }

  /// The path with the query of an address of the server under test; `nil` for another scheme.
  public static func path(of address: String) -> String? {
    guard let mark = address.firstRange(of: "://"),
      ["http", "https"].contains(address[..<mark.lowerBound]),
      let slash = address[mark.upperBound...].firstIndex(of: "/")
    else { return nil }
    return String(address[slash...])
  }
}
