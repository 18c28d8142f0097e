internal import Bytes
internal import CrashService
internal import CrashStore
internal import Dispatch
internal import Glibc
internal import HTTP
internal import Identifiers
internal import JSON
internal import Leases
internal import Pipeline
internal import Rendering
internal import ServerStore
internal import SymbolSources
internal import Synchronization
internal import Updates
internal import Uploads
internal import Workers

/// Stores complete uploads, one after the other, in the background: a large file takes minutes. Jobs are
/// recorded in the home, so that a restart continues.
package final class UploadFinisher: Sendable {
  /// A waiting upload.
  package enum Job: Hashable, Sendable {
    /// A file uploaded in parts.
    case parts(id: String)
    /// An App Center upload for an app.
    case blob(id: String, app: String)
  }

  private struct State {
    var waiting: [Job] = []
    var known: Set<Job> = []
    var isRunning = false
    var isStopping = false
    /// Threads waiting for the end of a job.
    var waiters: [Job: [DispatchSemaphore]] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Starts a job as soon as those before it are done.
  package func add(_ job: Job, for context: ServerContext) {
    let starts = state.withLock { state in
      guard !state.isStopping, state.known.insert(job).inserted else { return false }
      state.waiting.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    // Demangling names needs a larger stack than a pool's thread has.
    if starts { Workers.detach { [self] in run(context) } }
  }

  /// Resumes jobs that an earlier run left, or that failed because the disk was full.
  package func resume(for context: ServerContext) throws {
    for id in context.parts.unfinished() { add(.parts(id: id), for: context) }
    for upload in try context.uploads.processing() {
      add(.blob(id: upload.id, app: upload.app), for: context)
    }
  }

  /// Waits for the end of a job, if it is known, for at most `seconds`.
  package func wait(for job: Job, atMost seconds: Int) {
    let semaphore = DispatchSemaphore(value: 0)
    let isKnown = state.withLock { state in
      guard state.known.contains(job) else { return false }
      state.waiters[job, default: []].append(semaphore)
      return true
    }
    if isKnown { _ = semaphore.wait(timeout: .now() + .seconds(seconds)) }
  }

  /// Starts no further job.
  package func stop() { state.withLock { $0.isStopping = true } }

  private func run(_ context: ServerContext) {
    while let job = next() {
      do {
        switch job {
        case .parts(let id): try finish(parts: id, context)
        case .blob(let id, let app): try finish(blob: id, of: app, context)
        }
      } catch {
        // For example on a full disk. It is tried again: see `resume`.
        StorageFailureResponse.note(error, "upload \(job.id)")
        do {
          try takeBackTry(job, context)
        } catch {
          StorageFailureResponse.note(error, "upload \(job.id)")
        }
      }
      end(job)
    }
  }

  /// Takes back a failed try: only tries that were interrupted are counted.
  private func takeBackTry(_ job: Job, _ context: ServerContext) throws {
    switch job {
    case .parts(let id):
      guard let plan = context.parts.plan(id), var finishing = context.parts.finishing(id),
        finishing.tries > 0
      else { return }
      finishing.tries -= 1
      try context.parts.note(finishing, of: plan)
    case .blob(let id, _): try context.uploads.takeBackTry(id)
    }
  }

  private func next() -> Job? {
    state.withLock { state in
      guard !state.waiting.isEmpty, !state.isStopping else {
        state.isRunning = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  private func end(_ job: Job) {
    let waiters = state.withLock { state in
      state.known.remove(job)
      return state.waiters.removeValue(forKey: job) ?? []
    }
    for waiter in waiters { waiter.signal() }
  }

  // MARK: Files in parts

  private func finish(parts id: String, _ context: ServerContext) throws {
    let parts = context.parts
    // Another server with the same home may be storing it.
    guard let lease = parts.beginStoring(id), parts.verdict(id) == nil,
      let plan = parts.plan(id), var finishing = parts.finishing(id)
    else { return }
    defer { withExtendedLifetime(lease) {} }
    guard finishing.tries < parts.limits.tries else {
      return try parts.end(plan, Self.verdict(Self.tooOften))
    }
    try context.queue.admitFile(of: plan.size)
    finishing.tries += 1
    try parts.note(finishing, of: plan)
    let folder = try UploadFolder(in: context.scratch)
    let path = folder.newPath(named: plan.name)
    let response: Response
    if try !parts.join(plan, at: path) {
      response = .problem(
        .unprocessableContent, "the file's SHA-256 differs from the announced one")
    } else if plan.kind == "symbols" {
      let release = plan.app.flatMap { app in
        plan.version.map { (app: app, release: Release($0)) }
      }
      let caller = Access.Caller(id: finishing.caller, label: finishing.label, app: nil)
      response = try SymbolsEndpoint(context: context)
        .add(
          path, in: folder, release: release, bundle: plan.bundle.map { Release($0) },
          app: plan.app,
          for: caller, peer: finishing.peer)
    } else {
      // Only tokens upload in parts.
      var facts = [IntakeFact.name: plan.name, IntakeFact.trust: IntakeFact.token]
      facts[IntakeFact.app] = plan.app
      response = try IntakeEndpoint(context: context).accept(try ByteView(mapping: path), facts)
    }
    try parts.end(plan, Self.verdict(response))
  }

  private static let tooOften = Response.problem(
    .internalServerError, "storing it was started several times and never finished")

  private static func verdict(_ response: Response) -> PartialUploads.StoredResponse {
    var document = ByteView(Array("{}".utf8))
    if case .bytes(let bytes) = response.content { document = bytes }
    return PartialUploads.StoredResponse(status: response.status.code, document: document)
  }

  // MARK: Uploads of App Center's clients

  private func finish(blob id: String, of app: String, _ context: ServerContext) throws {
    let uploads = context.uploads
    guard let lease = uploads.beginStoring(id),
      let upload = try uploads.upload(id, of: app), upload.status == .processing
    else { return }
    defer { withExtendedLifetime(lease) {} }
    func fail(_ problem: String) throws {
      try uploads.finish(id, .failed, size: upload.size, problem: problem, now: .now)
      uploads.clear(id)
    }
    guard let path = uploads.blob(of: id) else {
      return try fail("its data was deleted")
    }
    guard try uploads.beginTry(id) else {
      return try fail("reading it was started several times and never finished")
    }
    let version = Release(version: upload.version ?? "", build: upload.build ?? "")
    if upload.kind == BlobUploads.releaseKind {
      return try finish(release: version, upload, at: path, context, failing: fail)
    }
    let ingest = DebugFileIngest(
      store: context.store,
      release: version.isEmpty ? nil : (app: upload.app, release: version), app: upload.app)
    let scan = DebugFileScanner().scan([path])
    let verdicts = try ingest.store(scan)
    let kept = verdicts.filter { $0.outcome != .refused }
    guard !kept.isEmpty else {
      let reasons = verdicts.compactMap(\.reason) + scan.refusals.map(\.reason)
      return try fail(
        "it contains no debug file" + (reasons.first.map { ": \($0)" } ?? ""))
    }
    // The sender must learn of an unusable part: its reports would wait forever. The others are stored, and
    // recognised when the upload is repeated.
    let refused = verdicts.filter { $0.outcome == .refused && $0.isDamaged }
    let problems =
      refused.map { ($0.path, $0.reason ?? "") } + scan.refusals.map { ($0.path, $0.reason) }
    if let (file, reason) = problems.first {
      context.metrics.symbolFiles.add(kept.count { $0.outcome == .added }, ordering: .relaxed)
      context.announceArrival()
      let name = file.split(separator: "/").last.map(String.init) ?? file
      return try fail(
        "\(name): \(reason); \(kept.count) of \(kept.count + problems.count) debug files were stored"
      )
    }
    let ids = kept.compactMap { $0.debugID?.appCenterSymbol }
    try uploads.finish(
      id, .indexed, size: upload.size, symbols: Array(Set(ids)).sorted(), now: .now)
    // The original of a mapping stays available.
    if scan.mappings.isEmpty { uploads.clear(id) }
    context.metrics.symbolFiles.add(kept.count { $0.outcome == .added }, ordering: .relaxed)
    context.announceArrival()
  }

  /// Stores a release's file once, even if a process died while doing so.
  private func finish(
    release: Release, _ upload: Upload, at path: String, _ context: ServerContext,
    failing fail: (String) throws -> Void
  ) throws {
    let artefact: Artefact
    do {
      artefact = try context.local.addArtefact(
        path, named: upload.fileName ?? "upload", release: release.isEmpty ? nil : release,
        to: upload.app, upload: upload.id, by: upload.author ?? upload.app)
    } catch let error where error is DistributionError || error is ServiceError {
      return try fail(FailureText.describe(error).message)
    }
    try context.uploads.setArtefact(artefact.number, of: upload.id)
    try context.uploads.finish(upload.id, .indexed, size: upload.size, now: .now)
    context.uploads.clear(upload.id)
    try context.updates.refresh()
  }
}

extension UploadFinisher.Job {
  fileprivate var id: String {
    switch self {
    case .parts(let id), .blob(let id, _): id
    }
  }
}
