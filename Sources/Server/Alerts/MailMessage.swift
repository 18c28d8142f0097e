internal import Bytes
internal import Identifiers
internal import Rendering

/// A mail, with a text and an HTML part.
///
/// Sources: RFC 5322 (headers), RFC 2045 and 2046 (parts), RFC 2047 (subjects), RFC 3834 (mail by programs).
struct MailMessage {
  /// The same at each attempt: letters, digits and hyphens.
  let id: String
  let sender: String
  let recipients: [String]
  let subject: String
  let text: String
  let html: HTML
  /// Further fields of the header, which are plain ASCII.
  var fields: [(name: String, value: String)] = []

  /// Bytes of a subject in one encoded word, for lines of 73 with the header's name. RFC 2047 allows 76.
  private static let subjectPart = 39
  private static let lineLength = 76

  /// The mail with its headers; lines end with CR and LF.
  ///
  /// - Parameter now: When it is sent.
  func source(now: Timestamp) -> String {
    let boundary = "mayday-\(id)"
    let host = sender.split(separator: "@").last.map(String.init) ?? "localhost"
    var lines = [
      "Date: \(Self.date(now))",
      "From: Mayday <\(sender)>",
      "To: " + Self.list(recipients),
      "Subject: " + Self.subject(subject),
      "Message-ID: <\(id)@\(host)>",
      "Auto-Submitted: auto-generated",
      "X-Mayday-Delivery: \(id)",
    ]
    lines += fields.map { "\($0.name): \($0.value)" }
    lines += [
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative; boundary=\"\(boundary)\"",
      "",
    ]
    for (type, text) in [("plain", text), ("html", html.markup)] {
      lines += [
        "--\(boundary)", "Content-Type: text/\(type); charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable", "", Self.quoted(text),
      ]
    }
    lines += ["--\(boundary)--", ""]
    return lines.joined(separator: "\r\n")
  }

  /// The recipients as the value of `To`. An address outside ASCII needs another form of header (RFC 6532),
  /// which not every server takes; the server learns the address from the envelope.
  private static func list(_ recipients: [String]) -> String {
    recipients.contains { !$0.utf8.allSatisfy { (0x21..<0x7f).contains($0) } }
      ? "undisclosed-recipients:;" : recipients.joined(separator: ",\r\n ")
  }

  /// `Tue, 24 Nov 2026 09:30:00 +0000`
  static func date(_ time: Timestamp) -> String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let (year, month, day) = time.date
    let name = days[((time.day % 7) + 7) % 7]
    let clock = Timestamp(seconds: time.seconds).description.dropFirst(11).prefix(8)
    return "\(name), \(day) \(months[month - 1]) \(year) \(clock) +0000"
  }

  /// A text as the value of a header: unchanged if it is plain ASCII, otherwise in encoded words.
  static func subject(_ text: String) -> String {
    let isPlain =
      text.utf8.count <= lineLength - 12 && !text.contains("=?")
      && text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    guard !isPlain else { return text }
    var words: [String] = []
    var part: [UInt8] = []
    for character in text.unicodeScalars {
      // Control characters have been made printable; an encoded word holds whole characters.
      let bytes = Array(String(character).utf8)
      if part.count + bytes.count > subjectPart {
        words.append(Base64.encode(part))
        part = []
      }
      part += bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f } ? bytes : [0x20]
    }
    words.append(Base64.encode(part))
    return words.map { "=?utf-8?B?\($0)?=" }.joined(separator: "\r\n ")
  }

  /// Encodes a text as quoted-printable (RFC 2045 6.7).
  static func quoted(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var current: [UInt8] = []
      let bytes = Array(line.utf8)
      for (index, byte) in bytes.enumerated() {
        let isLast = index == bytes.count - 1
        let isBare =
          (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "=") || byte == 0x20 && !isLast
        let piece =
          isBare ? [byte] : [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        if current.count + piece.count > lineLength - 1 {
          lines.append(String(decoding: current, as: UTF8.self) + "=")
          current = []
        }
        current += piece
      }
      lines.append(String(decoding: current, as: UTF8.self))
    }
    return lines.joined(separator: "\r\n")
  }
}
