internal import Bytes
internal import Files
internal import Glibc
internal import HTTPClient
internal import Identifiers
internal import ServerStore

/// Sends a message to a target, once.
struct AlertSender {
  /// The result of an attempt.
  struct SendOutcome {
    let isSent: Bool
    /// Whether another attempt may succeed.
    let isTemporary: Bool
    /// The target's response, in a line.
    let answer: String
    /// Seconds the target asked us to wait.
    var wait: Int?
  }

  let target: AlertTarget

  init(to target: AlertTarget) { self.target = target }

  private static let agent = "mayday-alerts"
  /// Time limit for a request and its response, in seconds.
  private static let timeLimit = 15
  private static let answerLimit = 4_096
  private static let longestAnswer = 200

  func send(_ message: AlertMessage, now: Timestamp) -> SendOutcome {
    switch target.way {
    case .webhook(let hook): post(message, to: hook, now: now)
    case .mail(let mail): deliver(message, by: mail, now: now)
    }
  }

  // MARK: Webhooks

  /// - Parameter canShorten: Whether a message that is too long for the target is sent once more with fewer
  ///   alerts.
  private func post(
    _ message: AlertMessage, to hook: AlertTarget.Webhook, now: Timestamp, canShorten: Bool = true
  ) -> SendOutcome {
    if hook.preset == .json, hook.secret == nil {
      return SendOutcome(
        isSent: false, isTemporary: true,
        answer: "the target has no secret, because backups leave it out: set the target again")
    }
    let body = WebhookMessage(message: message).body(for: hook.preset)
    var headers = [
      "Content-Type: application/json", "Mayday-Delivery: \(message.delivery.id)",
      // Sends the body without waiting for 100 Continue.
      "Expect:",
    ]
    if let secret = hook.secret {
      headers.append(
        "Mayday-Signature: " + WebhookMessage.signature(of: body, secret: secret, now: now))
    }
    var request = WebRequest("POST", hook.url, headers: headers, body: ByteView(body))
    request.answerLimit = Self.answerLimit
    var plan = RetryPlan()
    plan.tries = 1
    do {
      let sender = try WebSender(
        agent: Self.agent, plan: plan, authorities: target.authorities, timeLimit: Self.timeLimit)
      let response = try sender.send(request)
      // The actual limits of chats differ from their manuals.
      if response.status == 413, canShorten, message.shown.count > 1 {
        var shorter = message
        shorter.limit = max(1, message.shown.count / 4)
        return post(shorter, to: hook, now: now, canShorten: false)
      }
      let isSent = (200...299).contains(response.status)
      var answer = "\(response.status)"
      if (300...399).contains(response.status) { answer += ", a redirect, which is not followed" }
      let line =
        String(decoding: response.body.array, as: UTF8.self)
        .split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      if !line.isEmpty { answer += ": " + AlertMessage.line(line, Self.longestAnswer) }
      return SendOutcome(
        isSent: isSent, isTemporary: response.isTemporary, answer: answer,
        wait: response.retryAfter)
    } catch {
      return SendOutcome(isSent: false, isTemporary: true, answer: Self.line(error.description))
    }
  }

  // MARK: Mail

  private func deliver(
    _ message: AlertMessage, by mail: AlertTarget.Mail, now: Timestamp
  ) -> SendOutcome {
    do {
      var server = MailServer(
        url: mail.server, needsTLS: !mail.isPlain, authorities: target.authorities)
      if let user = mail.user, let source = mail.password {
        server.user = (user, try Self.password(at: source))
      }
      let text = MailMessage(message: message, sender: mail.sender, recipients: mail.recipients)
        .text(now: now)
      let code = try MailSender.send(text, from: mail.sender, to: mail.recipients, by: server)
      return SendOutcome(isSent: true, isTemporary: false, answer: "\(code)")
    } catch let error as MailError {
      return SendOutcome(
        isSent: false, isTemporary: error.isTemporary, answer: Self.line(error.description))
    } catch {
      return SendOutcome(isSent: false, isTemporary: true, answer: Self.line("\(error)"))
    }
  }

  private static func line(_ text: String) -> String { AlertMessage.line(text, longestAnswer) }

  /// Reads the password from the file or environment variable that a target names.
  private static func password(at source: String) throws -> String {
    let text: String
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
