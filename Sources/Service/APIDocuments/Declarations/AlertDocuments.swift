package import CrashService
package import Documents
internal import Identifiers
package import ServerStore

extension AlertRule: Documented {
  package static let declaration = DocumentType(
    "AlertRule", blank: AlertRule(.newGroup, to: "", created: .zero, author: "")
  ) {
    DocumentMember("number", \.number, .count)
    DocumentMember("kind", \.kind, .word, example: "spike")
    DocumentMember("target", \.target, .text, example: "team")
    DocumentMember("app", optional: \.app, .text, "The only app that it covers.", example: "Tern")
    DocumentMember("query", optional: \.shownQuery, .text, example: "version:>=2.4")
    DocumentMember(
      "of", optional: \.shownBasis, .word, "What it counts, for a spike or a rate.")
    DocumentMember("window", optional: \.shownWindow, .count, "Seconds.")
    DocumentMember(
      "least", optional: \.shownLeast, .count, "The minimum number of reports or sessions.")
    DocumentMember(
      "factor", optional: \.shownFactor, .number, "How many times the usual number is a spike.")
    DocumentMember("below", optional: \.shownBelow, .number, "The lowest rate, in percent.")
    DocumentMember("text", derived: { $0.summary }, .text, "The rule in a line.")
    DocumentMember("digest", \.digest, .digestTime, example: "immediately")
    DocumentMember("quiet", optional: \.quiet, .quietHours, example: "22:00-07:00")
    DocumentMember("zone", \.zone, .zone, "Offset of the times.", example: "UTC")
    DocumentMember("schedule", derived: { $0.schedule }, .text, "When it is sent, in a line.")
    DocumentMember("created", \.created, .time)
    DocumentMember("author", \.author, .text, example: "ann")
    DocumentMember(
      "problem", optional: \.problem, .text, "Why it could not be checked the last time.")
  }
}

/// The members that rules of some kinds have.
extension AlertRule {
  private var hasFigures: Bool { kind == .spike || kind == .crashFree }

  fileprivate var shownQuery: String? {
    get { query.isEmpty ? nil : query }
    set { query = newValue ?? "" }
  }
  fileprivate var shownBasis: Basis? {
    get { hasFigures ? basis : nil }
    set { if let newValue { basis = newValue } }
  }
  fileprivate var shownWindow: Int? {
    get { hasFigures ? window : nil }
    set { if let newValue { window = newValue } }
  }
  fileprivate var shownLeast: Int? {
    get { hasFigures ? least : nil }
    set { if let newValue { least = newValue } }
  }
  fileprivate var shownFactor: Double? {
    get { kind == .spike ? Double(factor) / 100 : nil }
    set { if let newValue, let read = Self.hundredths(newValue) { factor = read } }
  }
  fileprivate var shownBelow: Double? {
    get { kind == .crashFree ? Double(below) / 100 : nil }
    set { if let newValue, let read = Self.hundredths(newValue) { below = read } }
  }

  /// Returns `nil` for a number that no rule can have.
  private static func hundredths(_ number: Double) -> Int? {
    Int(exactly: (number * 100).rounded())
  }
}

extension DocumentValue where Value == AlertDigest {
  fileprivate static var digestTime: DocumentValue {
    DocumentValue<String>.text.map(
      write: { $0.text },
      read: { text in
        guard let digest = AlertDigest(text) else { throw DocumentError.wrong("a digest") }
        return digest
      })
  }
}

extension DocumentValue where Value == QuietHours {
  fileprivate static var quietHours: DocumentValue {
    DocumentValue<String>.text.map(
      write: { $0.text },
      read: { text in
        guard let hours = QuietHours(text) else { throw DocumentError.wrong("quiet hours") }
        return hours
      })
  }
}

extension DocumentValue where Value == Int {
  /// Minutes east of UTC.
  fileprivate static var zone: DocumentValue {
    DocumentValue<String>.text.map(
      write: { DayMinute.zoneText($0) },
      read: { text in
        guard let zone = DayMinute.readZone(text) else { throw DocumentError.wrong("an offset") }
        return zone
      })
  }
}

extension AlertTargetSummary: Documented {
  package static let declaration = DocumentType(
    "AlertTarget", blank: AlertTargetSummary(name: "", text: "")
  ) {
    DocumentMember("name", \.name, .text, example: "team")
    DocumentMember(
      "text", \.text, .text, "Its type and its host; the rest may be secret.",
      example: "slack webhook at https://hooks.slack.com")
  }
}

extension StoredAlertTarget: Documented {
  package static let declaration = DocumentType(
    "StoredAlertTarget",
    blank: StoredAlertTarget(target: AlertTargetSummary(name: "", text: ""))
  ) {
    AlertTargetSummary.declaration.members(at: \StoredAlertTarget.target)
    DocumentMember(
      "secret", optional: \.secret, .text,
      "A new secret with which messages are signed, shown only once.")
  }
}

extension AlertTest: Documented {
  package static let declaration = DocumentType(
    "AlertTest", blank: AlertTest(isSent: false, answer: "")
  ) {
    DocumentMember("sent", \.isSent, .flag, "Whether the target accepted the sample.")
    DocumentMember("answer", \.answer, .text, "Its response, or the problem.", example: "200")
  }
}

extension AlertDelivery: Documented {
  private static let blank = AlertDelivery(
    number: 0, id: "", rule: 0, kind: .newGroup, target: "", created: .zero, attempts: 0,
    state: .sent(.zero), answer: nil, count: 0, more: 0)

  package static let declaration = DocumentType("AlertDelivery", blank: blank) {
    DocumentMember("id", \.id, .text, "The same at every attempt.")
    DocumentMember("rule", optional: \.shownRule, .count, "Absent for a sample.")
    DocumentMember("kind", \.kind, .word)
    DocumentMember("target", \.target, .text, example: "team")
    DocumentMember("created", \.created, .time)
    DocumentMember("alerts", \.count, .count)
    DocumentMember("more", \.more, .count, "Further alerts that are only counted.")
    DocumentMember("state", \.word, .words(["waiting", "sent", "failed"]))
    DocumentMember("due", optional: \.due, .time, "The next attempt.")
    DocumentMember("finished", optional: \.finished, .time)
    DocumentMember("tries", \.attempts, .count)
    DocumentMember("answer", optional: \.answer, .text, "The target's last response.")
  }

  fileprivate var shownRule: Int? {
    get { isTest ? nil : rule }
    set { rule = newValue ?? 0 }
  }

  /// The state, whose time is another member.
  fileprivate var word: String {
    get {
      switch state {
      case .waiting: "waiting"
      case .sent: "sent"
      case .failed: "failed"
      }
    }
    set {
      switch newValue {
      case "sent": state = .sent(.zero)
      case "failed": state = .failed(.zero)
      default: state = .waiting(due: .zero)
      }
    }
  }

  fileprivate var due: Timestamp? {
    get { if case .waiting(let due) = state { due } else { nil } }
    set { if let newValue, case .waiting = state { state = .waiting(due: newValue) } }
  }

  fileprivate var finished: Timestamp? {
    get {
      switch state {
      case .waiting: nil
      case .sent(let time), .failed(let time): time
      }
    }
    set {
      guard let newValue else { return }
      switch state {
      case .waiting: break
      case .sent: state = .sent(newValue)
      case .failed: state = .failed(newValue)
      }
    }
  }
}
