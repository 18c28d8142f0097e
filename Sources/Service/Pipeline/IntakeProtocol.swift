internal import ServerStore

/// The intake protocols of submissions, as named in an intake queue.
public enum IntakeProtocol {
  /// A report of any format, or an archive of them.
  public static let reports = "reports"
  /// The logs that an App Center SDK sends in one request.
  public static let appCenter = "appcenter"
}

/// The facts stored with a submission, as named in an intake queue.
public enum IntakeFact {
  /// The app that all reports belong to; without it, each report names its own.
  public static let app = "app"
  /// The id by which the sender may ask for its outcome.
  public static let submission = IntakeQueue.submissionFact
  /// The client's name of the file.
  public static let name = "name"
  /// `App-Secret` of App Center.
  public static let secret = "secret"
  /// The `Content-Encoding` of an App Center SDK's request; its body is stored unchanged, because the SDK
  /// gets its acknowledgement well before it is parsed.
  public static let coding = "coding"
  /// The sending installation.
  public static let install = "install"
  /// The sender's credential: ``token``, or nothing for an app's key or secret, which anyone may have.
  public static let trust = "trust"
  /// The value of ``trust`` for a token.
  public static let token = "token"
  /// The client that is charged, besides the app: see ``IntakeQueue/clientFact``.
  public static let client = IntakeQueue.clientFact
  /// The rate limit's name for the app.
  public static let share = IntakeQueue.shareFact
}
