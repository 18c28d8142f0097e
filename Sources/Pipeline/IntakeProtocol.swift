internal import ServerStore

/// The doors through which submissions come, as an intake queue names them.
public enum IntakeProtocol {
  /// A report of any format, or an archive of them.
  public static let reports = "reports"
  /// The logs that an App Center SDK sends in one request.
  public static let appCenter = "appcenter"
}

/// What is said beside a submission, as an intake queue names it.
public enum IntakeFact {
  /// The app that all reports belong to; without it each names its own.
  public static let app = "app"
  /// The id by which whoever handed it in may ask what became of it.
  public static let submission = IntakeQueue.submissionFact
  /// What the client calls the file.
  public static let name = "name"
  /// `App-Secret` of App Center.
  public static let secret = "secret"
  /// What an App Center SDK's request is packed with, as its `Content-Encoding` says; its body is kept
  /// as it came, for the SDK is told that it came well before anybody looks into it.
  public static let coding = "coding"
  /// The installation that it comes from.
  public static let install = "install"
}
