internal import Bytes

/// The value of a header and its parameters: `attachment; filename="a.ips"` (RFC 2045, RFC 2231).
struct MailParameters {
  /// In lower case.
  let value: String
  /// By names in lower case.
  private(set) var parameters: [String: String] = [:]

  init(_ text: String) {
    var pieces: [String] = []
    var piece = ""
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if isEscaped {
        piece.append(character)
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ";", !isQuoted {
        pieces.append(piece)
        piece = ""
      } else {
        piece.append(character)
      }
    }
    pieces.append(piece)
    value = Self.trimmed(pieces[0]).lowercased()
    for piece in pieces.dropFirst().prefix(64) {
      guard let sign = piece.firstIndex(of: "=") else { continue }
      let name = Self.trimmed(String(piece[..<sign])).lowercased()
      if parameters[name] == nil {
        parameters[name] = Self.trimmed(String(piece[piece.index(after: sign)...]))
      }
    }
  }

  /// The text of a parameter in any of its forms: `name`, `name*`, `name*0`, `name*0*`.
  func text(_ name: String) -> String? {
    if let text = parameters[name + "*"] { return Self.extended(text) }
    if let text = parameters[name] { return Self.words(text) }
    var joined = ""
    for index in 0..<64 {
      if let text = parameters["\(name)*\(index)"] {
        joined += text
      } else if let text = parameters["\(name)*\(index)*"] {
        joined += index == 0 ? Self.extended(text) : Self.extended("''" + text)
      } else {
        break
      }
    }
    return joined.isEmpty ? nil : joined
  }

  private static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// `utf-8'en'a%20b` as text.
  private static func extended(_ text: String) -> String {
    let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return text }
    var bytes: [UInt8] = []
    var rest = Array(parts[2].utf8)[...]
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

  /// Encoded words (RFC 2047) as text: `=?utf-8?B?w6R0?=`.
  private static func words(_ text: String) -> String {
    guard text.contains("=?") else { return text }
    var result = ""
    for piece in text.split(separator: " ", omittingEmptySubsequences: true) {
      let parts = piece.split(separator: "?", omittingEmptySubsequences: false)
      guard parts.count == 5, parts[0] == "=", parts[4] == "=" else {
        result += result.isEmpty ? String(piece) : " " + piece
        continue
      }
      switch parts[2].lowercased() {
      case "b":
        result += Base64.decode(String(parts[3])).map { String(decoding: $0, as: UTF8.self) } ?? ""
      default:
        let plain = String(parts[3].map { $0 == "_" ? " " : $0 })
        result += MailFile.quotedPrintable(ByteView(plain.utf8)).bytes.text
      }
    }
    return result
  }
}
