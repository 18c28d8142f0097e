internal import ServerStore

/// The doors through which submissions come, as an intake queue names them.
public enum IntakeProtocol {
  /// A report of any format, or an archive of them.
  public static let reports = "reports"
  /// The logs that an App Center SDK sends in one request.
  public static let appCenter = "appcenter"
}

/// The facts given with a submission, as an intake queue names it.
public enum IntakeFact {
  /// The app that all reports belong to; without it each names its own.
  public static let app = "app"
  /// The id by which whoever handed it in may ask for its outcome.
  public static let submission = IntakeQueue.submissionFact
  /// The client's name of the file.
  public static let name = "name"
  /// `App-Secret` of App Center.
  public static let secret = "secret"
  /// The `Content-Encoding` of an App Center SDK's request; its body is kept
  /// as it came, for the SDK gets its acknowledgement well before anybody looks into it.
  public static let coding = "coding"
  /// The installation that it comes from.
  public static let install = "install"
  /// What the sender showed: ``token``, or nothing for an app's key or secret, which anybody may have.
  public static let trust = "trust"
  /// The value of ``trust`` for a token.
  public static let token = "token"
  /// Whose share of the rate it pays besides that of its app: see ``IntakeQueue/clientFact``.
  public static let client = IntakeQueue.clientFact
  /// The app as the rate names it.
  public static let share = IntakeQueue.shareFact
}
