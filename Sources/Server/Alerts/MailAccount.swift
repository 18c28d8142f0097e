internal import Bytes
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

  /// The password that a target has in the home, or that the place names which it has instead.
  private static func password(at source: String) throws -> String {
    guard source.hasPrefix(AlertTarget.storedPassword) else {
      return try NamedSource.secret(at: source, "password")
    }
    // The source is the password itself: it is in no message.
    let text = String(source.dropFirst(AlertTarget.storedPassword.count))
    guard let line = text.split(whereSeparator: \.isNewline).first else {
      throw AlertError.invalid(
        "the password is not in the home, as after a restore; give it again")
    }
    return String(line)
  }

  private static func line(_ text: String) -> String {
    AlertMessage.line(text, SendOutcome.longestAnswer)
  }
}
