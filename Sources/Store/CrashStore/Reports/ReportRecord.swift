public import Bytes
public import CrashModel

/// A report with everything that is kept of it.
public struct ReportRecord: Sendable {
  public var summary: ReportSummary
  /// The document that was stored with it.
  public var document: ByteView
  /// The SHA-256 of the submission that it came in, in hexadecimal.
  public var submission: String
  /// Which of the reports in the submission it is, from 0.
  public var position: Int
  /// Whether somebody named the app for all reports of the submission; `nil` where an older version
  /// of the program did not note it.
  public var isAppGiven: Bool?
  /// Files that came with it, by name. The document does not name them: they may come later.
  public var attachments: [Attachment]
  /// Files that were sent with it and not kept, by name.
  public var refusedAttachments: [RefusedAttachment] = []
  /// What the app did in the session before it, oldest first. As with attachments, the document does
  /// not name it.
  public var breadcrumbs: [Breadcrumb] = []
  /// The name of the app that its id and its groups' keys are made with.
  public var keyName: String
}
