public import Identifiers

/// A mail to a tester, in the log of an app's mails.
public struct TesterMail: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case invitation
    /// New releases, one or several.
    case release
  }

  public enum State: String, Hashable, Sendable, CaseIterable {
    /// It is due, for the first time or again.
    case waiting
    /// The mail server took it.
    case sent
    /// The mail server refused it for good, or for too long.
    case failed
    /// There was nothing left to say: the invitation was used or revoked, the releases were withdrawn, or the
    /// tester wants no mail.
    case dropped
  }

  /// The number within the app.
  public var number: Int
  /// The name in `Message-ID`, the same at each attempt.
  public var name: String
  public var app: String
  /// The tester's id.
  public var tester: String
  public var email: String
  public var kind: Kind
  /// The person who invited or published.
  public var author: String
  public var created: Timestamp
  public var state: State
  /// When it is tried, while it waits.
  public var due: Timestamp?
  public var finished: Timestamp?
  public var attempts: Int
  /// The mail server's last response, or why the mail was dropped.
  public var answer: String?
  /// The numbers of the files it announces.
  public var artefacts: [Int]
  /// The releases that it announces, the newest first.
  public var releases: [Release]
  /// The random number of an invitation's code, while the mail waits.
  package var nonce: String?

  public init(
    number: Int, name: String, app: String, tester: String, email: String, kind: Kind,
    author: String, created: Timestamp, state: State, due: Timestamp? = nil,
    finished: Timestamp? = nil, attempts: Int = 0, answer: String? = nil, artefacts: [Int] = [],
    releases: [Release] = []
  ) {
    self.number = number
    self.name = name
    self.app = app
    self.tester = tester
    self.email = email
    self.kind = kind
    self.author = author
    self.created = created
    self.state = state
    self.due = due
    self.finished = finished
    self.attempts = attempts
    self.answer = answer
    self.artefacts = artefacts
    self.releases = releases
  }
}
