public import CrashModel

/// One alert that a rule raised, as things were at that time.
public struct Alert: Hashable, Sendable {
  public var time: Timestamp
  /// Empty where it is about no app.
  public var app: String
  /// By which people call it: `TERN-12`, or the name of a file; empty for none.
  public var name: String
  /// The text of a signature, for instance.
  public var title: String
  /// More, in a sentence.
  public var detail: String
  /// The page of it on the server: `/groups/TERN-12`.
  public var path: String

  public init(
    time: Timestamp, app: String, name: String, title: String, detail: String, path: String
  ) {
    self.time = time
    self.app = app
    self.name = name
    self.title = title
    self.detail = detail
    self.path = path
  }
}

/// Alerts of a rule that go to its target together.
public struct AlertDelivery: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    /// It is tried at this time, for the first time or again.
    case waiting(due: Timestamp)
    case sent(Timestamp)
    /// Nobody tries it again.
    case failed(Timestamp)
  }

  public var number: Int
  /// The same each time that it is sent, so that who gets it twice can tell.
  public var id: String
  /// 0 for a test.
  public var rule: Int
  public var kind: AlertRule.Kind
  public var target: String
  public var created: Timestamp
  public var attempts: Int
  public var state: State
  /// The target's last answer.
  public var answer: String?
  /// How many alerts it has, and how many more there were.
  public var count: Int
  public var more: Int

  public init(
    number: Int, id: String, rule: Int, kind: AlertRule.Kind, target: String, created: Timestamp,
    attempts: Int, state: State, answer: String?, count: Int, more: Int
  ) {
    self.number = number
    self.id = id
    self.rule = rule
    self.kind = kind
    self.target = target
    self.created = created
    self.attempts = attempts
    self.state = state
    self.answer = answer
    self.count = count
    self.more = more
  }

  public var isTest: Bool { rule == 0 }
}
