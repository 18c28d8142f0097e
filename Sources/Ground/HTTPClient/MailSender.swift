internal import CCurl
internal import Glibc

/// A mail server and the credentials for it.
public struct MailServer: Sendable {
  /// `smtps://mail.example.org`, `smtp://mail.example.org:587`.
  public var url: String
  /// Whether `smtp:` must switch to TLS before anything else is sent.
  public var needsTLS: Bool
  /// User name and password; `nil` for none.
  public var user: (name: String, password: String)?
  /// A PEM file of CA certificates to trust instead of the system's.
  public var authorities: String?

  public init(
    url: String, needsTLS: Bool, user: (name: String, password: String)? = nil,
    authorities: String? = nil
  ) {
    self.url = url
    self.needsTLS = needsTLS
    self.user = user
    self.authorities = authorities
  }
}

/// A mail server did not accept a mail.
public struct MailError: Error, CustomStringConvertible {
  /// The reason, for people to read.
  public let description: String
  /// Whether the same mail may be accepted later.
  public let isTemporary: Bool
}

/// Sends mail through a server.
public enum MailSender {
  /// Time limits in seconds: for the connection, and for the whole transfer.
  private static let limits = (connect: 10, whole: 30)

  /// Hands a mail to all recipients whom the server takes, and fails where it takes none.
  ///
  /// - Parameters:
  ///   - sender: An address without brackets.
  ///   - message: The mail with its headers, lines ended by CR and LF.
  /// - Returns: The last code of the server, such as 250.
  /// - Throws: ``MailError``.
  public static func send(
    _ message: String, from sender: String, to recipients: [String], by server: MailServer
  ) throws(MailError) -> Int {
    if let file = server.authorities, access(file, R_OK) != 0 {
      throw MailError(
        description: "\(file): \(String(cString: strerror(errno)))", isTemporary: true)
    }
    guard let handle = ccurl_open() else {
      throw MailError(description: "no memory for a mail", isTemporary: true)
    }
    defer { ccurl_close(handle) }
    var texts: [UnsafeMutablePointer<CChar>] = []
    defer { texts.forEach { free($0) } }
    func text(_ text: String?) -> UnsafePointer<CChar>? {
      guard let text, let copy = strdup(text) else { return nil }
      texts.append(copy)
      return UnsafePointer(copy)
    }
    let list = recipients.map { text($0) }
    var bytes = message
    var status = 0
    var words = [CChar](repeating: 0, count: ccurl_words)
    let (url, authorities) = (text(server.url), text(server.authorities))
    let (user, password) = (text(server.user?.name), text(server.user?.password))
    let from = text(sender)
    let code = bytes.withUTF8 { message in
      message.withMemoryRebound(to: CChar.self) { message in
        list.withUnsafeBufferPointer { list in
          var mail = ccurl_mail(
            url: url, authorities: authorities, needs_tls: server.needsTLS ? 1 : 0, user: user,
            password: password, sender: from, recipients: list.baseAddress,
            recipient_count: list.count, message: message.baseAddress, message_size: message.count,
            connect_within: limits.connect, within: limits.whole)
          return ccurl_send_mail(handle, &mail, &status, &words)
        }
      }
    }
    guard code == 0 else {
      let text = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      // RFC 5321 4.2.1: codes that begin with 5 are permanent.
      throw MailError(
        description: String(decoding: text, as: UTF8.self),
        isTemporary: !(500...599).contains(status))
    }
    return status
  }
}
