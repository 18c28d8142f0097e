internal import Bytes
internal import Files
internal import Glibc
internal import HTTPClient
internal import Identifiers
internal import ServerStore

/// The mail server of a target, with the user and the password.
struct MailAccount {
  let mail: AlertTarget.Mail
  /// A PEM file of CA certificates to trust for the server instead of the system's.
  let authorities: String?

  /// Sends a mail, once.
  func send(_ message: MailMessage, now: Timestamp) -> SendOutcome {
    do {
      var server = MailServer(url: mail.server, needsTLS: !mail.isPlain, authorities: authorities)
      if let user = mail.user, let source = mail.password {
        server.user = (user, try Self.password(at: source))
      }
      let code = try MailSender.send(
        message.source(now: now), from: message.sender, to: message.recipients, by: server)
      return SendOutcome(isSent: true, isTemporary: false, answer: "\(code)")
    } catch let error as MailError {
      return SendOutcome(
        isSent: false, isTemporary: error.isTemporary, answer: Self.line(error.description))
    } catch {
      return SendOutcome(isSent: false, isTemporary: true, answer: Self.line("\(error)"))
    }
  }

  private static func line(_ text: String) -> String {
    AlertMessage.line(text, SendOutcome.longestAnswer)
  }

  /// Reads the password from the file or environment variable that a target names.
  private static func password(at source: String) throws -> String {
    let text: String
    if source.hasPrefix(AlertTarget.storedPassword) {
      text = String(source.dropFirst(AlertTarget.storedPassword.count))
      // The source is the password itself: it is in no message.
      guard !text.isEmpty else {
        throw AlertError.invalid(
          "the password is not in the home, as after a restore; give it again")
      }
      return text
    }
    if source.hasPrefix("env:") {
      let name = String(source.dropFirst("env:".count))
      guard let value = getenv(name) else {
        throw AlertError.invalid("the environment variable \(name) is not set")
      }
      text = String(cString: value)
    } else {
      text = try ByteView(reading: String(source.dropFirst("file:".count)), limit: 4_096).text
    }
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    guard !line.isEmpty else { throw AlertError.invalid("\(source) has no password") }
    return line
  }
}
