internal import Bytes
internal import HTTPClient
internal import Identifiers
internal import ServerStore

/// The result of an attempt to send a message.
struct SendOutcome {
  let isSent: Bool
  /// Whether another attempt may succeed.
  let isTemporary: Bool
  /// The target's response, in a line.
  let answer: String
  /// Seconds the target asked us to wait.
  var wait: Int?

  /// The maximum number of characters of ``answer``.
  static let longestAnswer = 200
}

/// Sends a message to a target, once.
struct AlertSender {
  let target: AlertTarget

  init(to target: AlertTarget) { self.target = target }

  private static let agent = "mayday-alerts"
  /// Time limit for a request and its response, in seconds.
  private static let timeLimit = 15
  private static let answerLimit = 4_096
  private static let longestAnswer = SendOutcome.longestAnswer

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
    MailAccount(mail: mail, authorities: target.authorities).send(
      MailMessage(
        id: message.delivery.id, sender: mail.sender, recipients: mail.recipients,
        subject: message.subject, text: message.text, html: message.html), now: now)
  }

  private static func line(_ text: String) -> String { AlertMessage.line(text, longestAnswer) }
}
