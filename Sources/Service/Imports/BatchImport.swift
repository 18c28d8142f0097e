internal import Batches
internal import Bytes
internal import CrashInput
internal import CrashService
internal import CrashStore
internal import Crypto
internal import Files
internal import Identifiers
internal import Pipeline

/// Imports the documents in files of `triage --partial --with-documents`.
package struct BatchImport {
  private let context: ImportContext
  private var result = ImportResult()

  package init(_ context: ImportContext) { self.context = context }

  /// A file has no documents.
  package struct NoDocuments: Error, CustomStringConvertible, UserFacingError {
    let path: String

    package var description: String {
      "\(path) has no documents of reports: make it with triage --partial --with-documents"
    }
  }

  /// Whether the file at `path` is one.
  package static func isBatch(_ path: String) -> Bool { BatchFile.isBatch(path) }

  /// Stores the documents of all files, each report once.
  ///
  /// - Parameter paths: Files; those that were made in different ways are refused.
  /// - Throws: ``BatchError``; ``NoDocuments``; the store's errors: what was stored before stays, and the import can be
  ///   repeated.
  package consuming func run(
    _ paths: [String], progress: @escaping (_ files: Int) -> Void = { _ in }
  ) throws -> ImportResult {
    let files = try paths.map { try BatchFile(at: $0) }
    if let index = files.firstIndex(where: { !$0.head.hasDocuments }) {
      throw NoDocuments(path: paths[index])
    }
    let part = try BatchMerge.part(of: files.map { .file($0) }, in: Folder.temporary)
    let app = part.head.app
    if let app { try context.store.apps.add(app, secret: nil) }
    var outcomes: [FileResult] = []
    var problem: (any Error)?
    let stored = try context.ingest(app: app).run(
      received: .now, progress: progress, onResult: { outcomes.append($0) }
    ) { bring in
      do {
        var documents = RecordCursor<DocumentFact>(part)
        var number = 0
        while let document = try documents.next() {
          let file = InputFile(
            path: "\(paths[0])!\(document.id).json", content: .success(document.bytes),
            ordinal: number)
          number += 1
          if bring(file) == .stop { return }
        }
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    for outcome in outcomes { try take(outcome) }
    result.reports = stored.reports
    result.known -= stored.reports
    return result
  }

  private mutating func take(_ outcome: FileResult) throws {
    switch outcome.outcome {
    case .attached: break
    case .refused(let reason, _): result.leave(outcome.source, reason, isDamaged: true)
    case .stored:
      result.known += outcome.reportCount
      for submission in outcome.stored {
        let reports = try context.store.reports.list(
          ofSubmission: SHA256.hex(submission.digest), app: submission.app)
        for report in reports { result.groups.insert(report.group) }
      }
    }
  }
}
