public import Bytes
public import CrashModel

/// A report with everything that is stored of it.
public struct ReportRecord: Sendable {
  public var summary: ReportSummary
  /// The document that was stored with it.
  public var document: ByteView
  /// The SHA-256 of the submission that it came in, in hexadecimal.
  public var submission: String
  /// The position of the report in the submission, from 0.
  public var position: Int
  /// Whether the app was named for all reports of the submission.
  public var isAppGiven: Bool
  /// Files that came with it, by name. The document does not name them: they may come later.
  public var attachments: [Attachment]
  /// Files that were sent with it and not kept, by name.
  public var refusedAttachments: [RefusedAttachment] = []
  /// Breadcrumbs of the session before the report, oldest first. Like attachments, they are not in
  /// the document.
  public var breadcrumbs: [Breadcrumb] = []
  /// The name of the app from which its id and its groups' keys are computed.
  public var keyName: String
}
