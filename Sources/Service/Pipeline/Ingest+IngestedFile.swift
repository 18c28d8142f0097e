internal import Bytes
internal import CrashInput
internal import CrashModel
internal import CrashStore
internal import Crypto
internal import Identifiers
internal import ReportDocument
internal import ReportFormats
internal import Scrubbing

extension Ingest {
  /// The outcome of one file.
  struct IngestedFile: Sendable {
    enum Content: Sendable {
      case prepared([PreparedSubmission])
      /// Stored before, by another run, with this many reports.
      case known(reports: Int)
      case refused(String, RefusedFile.Kind)
      /// An attachment of the report named by its companion, and the refusal if that is not a report.
      case attachment(PreparedAttachment, of: Companion, otherwise: String)
      case failed(any Error)
    }

    let source: String
    /// The file's ``InputFile/ordinal``.
    let ordinal: Int
    let digest: [UInt8]
    let byteCount: Int
    let isMember: Bool
    let coverage: InputFile.Coverage
    let limit: ReportLimit?
    let content: Content
    /// The processing time.
    var work = Duration.zero

    init(
      of file: InputFile, by processor: ReportProcessor, app: String?, knownTo store: CrashStore,
      received: Timestamp, isAppGiven: Bool, arrivals: Int, limit: ReportLimit?,
      isBegun: Bool
    ) {
      source = file.path
      self.limit = limit
      byteCount = file.byteCount
      ordinal = file.ordinal
      isMember = file.isMember
      coverage = file.coverage
      if let companion = file.companion, companion.isAttachment {
        digest = []
        content = Self.attachment(
          file.content, companion, processor,
          otherwise: "an attachment of \(companion.owner), which contained no report")
        return
      }
      switch file.content {
      case .failure(let error):
        digest = []
        content = .refused(error.description, error.kind)
      case .success(let came):
        let bytes = processor.scrubber?.submission(came) ?? came
        let digest = SHA256.digest(of: bytes)
        self.digest = digest
        do {
          if let app, try store.reports.hasSubmission(digest: digest, app: app) {
            content = .known(
              // They may have been stored by a worker that was killed, and count towards the limit; so do
              // those of an archive that is submitted again.
              reports: limit.map { $0.isOfArchive || isBegun } ?? false
                ? try store.reports.list(ofSubmission: SHA256.hex(digest), app: app).count : 0)
          } else {
            content = .prepared(
              try Self.prepared(
                bytes, digest: digest, by: processor, source: source, received: received,
                isAppGiven: isAppGiven, arrivals: arrivals, limit: limit))
          }
        } catch let error as ParseError {
          if error.kind == .notRecognised, let companion = file.companion {
            content = Self.attachment(
              file.content, companion, processor, otherwise: error.refusal)
            return
          }
          content = .refused(
            error.refusal, error.kind == .notRecognised ? .foreign : .unreadable)
        } catch {
          content = .failed(error)
        }
      }
    }

    private static func attachment(
      _ content: Result<ByteView, InputError>, _ companion: Companion,
      _ processor: ReportProcessor, otherwise: String
    ) -> Content {
      do {
        let bytes = try content.get()
        let scrubber = processor.scrubber
        let attachment = try PreparedAttachment(
          scrubber?.scrub(companion.name) ?? companion.name,
          scrubber?.scrub(file: bytes) ?? bytes)
        return .attachment(attachment, of: companion, otherwise: otherwise)
      } catch let error as InputError {
        return .refused(error.description, .unreadable)
      } catch let error as StoreError {
        return .refused(error.description, .unreadable)
      } catch {
        return .failed(error)
      }
    }

    /// Returns the submission, once for each app of its reports.
    private static func prepared(
      _ bytes: ByteView, digest: [UInt8], by processor: ReportProcessor, source: String,
      received: Timestamp, isAppGiven: Bool, arrivals: Int, limit: ReportLimit?
    ) throws -> [PreparedSubmission] {
      var apps: [(name: String, reports: [(report: CrashReport, document: ByteView)])] = []
      let (reports, more) = try processor.process(bytes, atMost: limit?.most ?? .max)
      for (processed, id) in zip(reports, reports.ids(digest: digest)) {
        let index = apps.firstIndex { $0.name == processed.app } ?? apps.endIndex
        if index == apps.endIndex { apps.append((processed.app, [])) }
        let document = processed.report.document(id: id, received: received)
        apps[index].reports.append((processed.report, ByteView(document)))
      }
      var prepared = try apps.map { app in
        try PreparedSubmission(
          Submission(
            bytes: bytes, source: source, received: received, app: app.name,
            isAppGiven: isAppGiven),
          reports: app.reports, arrivals: arrivals)
      }
      if let limit, let last = prepared.indices.last {
        prepared[last].leaveOut(more, because: limit.reason)
      }
      return prepared
    }
  }
}
