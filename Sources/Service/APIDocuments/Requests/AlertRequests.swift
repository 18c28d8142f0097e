internal import Bytes
package import CrashService
package import Documents
internal import HTTP
package import ServerStore

extension AlertRuleFields: Documented {
  /// The body of `POST /api/v1/alerts/rules`.
  package static let declaration = DocumentType("AlertRuleRequest", blank: AlertRuleFields()) {
    DocumentMember.text(
      "kind", \.kind, AlertRule.Kind.allCases.map(\.rawValue).joined(separator: ", "),
      orThrow: required)
    DocumentMember.text("target", \.target, "The name of a target.", orThrow: required)
    DocumentMember("app", optional: \.app, .appName(), "Only this app.")
    DocumentMember("query", optional: \.query, .text, "Only reports or groups that match it.")
    DocumentMember("digest", optional: \.digest, .text, "immediately, hourly or 09:00.")
    DocumentMember("quiet", optional: \.quiet, .text, "Quiet hours: 22:00-07:00.")
    DocumentMember("zone", optional: \.zone, .text, "The offset of these times: +01:00.")
    DocumentMember("window", optional: \.window, .text, "1h for a spike, 1d for a rate.")
    DocumentMember("least", optional: \.least, .text, "The minimum number, as a text.")
    DocumentMember("factor", optional: \.factor, .text, "3 or 2.5, as a text.")
    DocumentMember("below", optional: \.below, .text, "99.5, as a text.")
    DocumentMember(
      "of", optional: \.basis, .text, "groups or app for a spike, sessions or users for a rate.")
  }

  private static let required = HTTPError.invalidDocument(
    "kind and target, the name of a target, are required")
}

/// The body of `POST /api/v1/alerts/targets`: a webhook, or a mail server.
package struct AlertTargetRequest: Documented, Equatable {
  package var name: String
  package var webhook: String?
  package var preset: AlertTarget.Preset?
  package var secret: String?
  package var smtp: String?
  package var sender: String?
  package var recipients: [String]
  package var user: String?
  package var password: String?
  package var isPlain: Bool
  package var isForTesters: Bool

  private static let blank = AlertTargetRequest(name: "")

  private init(name: String) {
    self.name = name
    (recipients, isPlain, isForTesters) = ([], false, false)
  }

  /// Creates a request.
  ///
  /// - Throws: ``ServiceError`` for a target that names files or variables of the server's machine: whoever
  ///   may only reach the server must not read them.
  package init(_ target: AlertTarget, isForTesters: Bool) throws {
    self.init(name: target.name)
    self.isForTesters = isForTesters
    guard target.authorities == nil else { throw Self.refusal }
    switch target.way {
    case .webhook(let hook): (webhook, preset, secret) = (hook.url, hook.preset, hook.secret)
    case .mail(let mail):
      (smtp, sender, recipients) = (mail.server, mail.sender, mail.recipients)
      (user, isPlain) = (mail.user, mail.isPlain)
      password = try mail.password.map { source in
        guard source.hasPrefix(AlertTarget.storedPassword) else { throw Self.refusal }
        return String(source.dropFirst(AlertTarget.storedPassword.count))
      }
    }
  }

  private static let refusal = ServiceError(
    "files and environment variables of the server can be named only on its machine", .wrongUsage)

  /// The target, whose password is stored in the home.
  package var target: AlertTarget {
    if let smtp {
      let mail = AlertTarget.Mail(
        server: smtp, sender: sender ?? "", recipients: recipients, user: user,
        password: password.map { AlertTarget.storedPassword + $0 }, isPlain: isPlain)
      return AlertTarget(name: name, way: .mail(mail))
    }
    return AlertTarget(
      name: name,
      way: .webhook(
        AlertTarget.Webhook(url: webhook ?? "", preset: preset ?? .json, secret: secret)))
  }

  package static let declaration = DocumentType("AlertTargetRequest", blank: blank) {
    DocumentMember.text(
      "name", \.name, orThrow: .invalidDocument("name, the name of the target, is required"))
    DocumentMember("webhook", optional: \.webhook, .text(atLeast: 1), "The address to post to.")
    DocumentMember("preset", optional: \.preset, .word, "The format of the body.")
    DocumentMember(
      "secret", optional: \.secret, .text(atLeast: 16), "Signs messages instead of a new one.")
    DocumentMember(
      "smtp", optional: \.smtp, .text(atLeast: 1), "The mail server: smtps://HOST.")
    DocumentMember("from", optional: \.sender, .text(atLeast: 1), "The sender of the mail.")
    DocumentMember("to", \.recipients, .list(.text), "The recipients of the mail.", otherwise: [])
    DocumentMember("user", optional: \.user, .text(atLeast: 1), "The user for the mail server.")
    DocumentMember(
      "password", optional: \.password, .text(atLeast: 1), "Stored in the home, and never shown.")
    DocumentMember("plain", \.isPlain, .flag, "Whether mail is sent without TLS.", otherwise: false)
    DocumentMember(
      "testers", \.isForTesters, .flag, "Whether mails to testers are sent through it.",
      otherwise: false)
  } check: { request in
    guard (request.webhook == nil) != (request.smtp == nil) else {
      throw HTTPError.invalidDocument("either webhook or smtp is required")
    }
    guard request.secret.map({ $0.utf8.count >= 16 }) ?? true else {
      throw HTTPError.invalidDocument("a secret needs at least 16 characters", "secret")
    }
    guard !request.isForTesters || request.smtp != nil else {
      throw HTTPError.invalidDocument("testers needs smtp")
    }
  }
}
