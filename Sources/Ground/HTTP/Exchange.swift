internal import Bytes
internal import CMicrohttpd
internal import Compression
internal import Files
internal import Glibc
internal import Synchronization

/// One request and its answer. Created at the end of the head, released when libmicrohttpd reports that the
/// request is completed.
///
/// `@unchecked Sendable`: one thread at a time has it. "While a connection is suspended, MHD will not call
/// its access handler" (microhttpd.h, MHD_suspend_connection), so the worker has it alone from there to
/// MHD_resume_connection, whose lock publishes its writes.
final class Exchange: @unchecked Sendable {
  private enum Stage {
    /// A worker checks whether the body is wanted.
    case asking
    /// The result of the check: a refusal, or none.
    case asked(Response?)
    case collecting(any BodyCollector)
    /// The answer is known; the body is read and dropped so that the connection can be kept.
    case dropping(Response)
    /// The exchange wrote the answer itself; further bytes are dropped, and the connection ends.
    case lingering
    case handling
    case ready(Response)
    case answered
  }

  /// How much of a refused body is read, so that the client sees the refusal: a connection that is
  /// closed with bytes unread is reset, and the answer with it.
  private static let patience = 256 << 10
  /// Free space is checked whenever this many bytes have arrived, as a power of two.
  private static let roomStep = 24

  private let core: ServerCore
  private let connection: OpaquePointer?
  private let state: ClientConnection
  /// The number of the request on its connection.
  private let number: UInt64
  private let begun = UInt64(SteadyClock.nanoseconds)
  private var head: RequestHead
  private var route: Route?
  private var stage = Stage.handling
  private var received = 0
  private var dropped = 0
  /// Memory and spool bytes held by this request, charged to `client`.
  private var held = 0
  private var spooled = 0
  private var client: Client?
  /// Whether the authorization still has to be checked, together with the handler.
  private var isUnasked = true
  private var status = 0
  private var sent: UInt64 = 0
  /// Whether the end of this request is unknown: the connection must end with its refusal.
  private var isBroken = false

  /// Reads the head and decides what becomes of the body.
  init(
    _ core: ServerCore, _ connection: OpaquePointer?, _ state: ClientConnection,
    _ received: RequestReader.Received
  ) {
    self.core = core
    self.connection = connection
    self.state = state
    number = received.number
    let id = core.nextID()
    head = RequestHead(method: "", path: "", segments: [], peer: "", id: id)
    do {
      switch received.content {
      case .head(let bytes): head = try HeadReader.read(bytes, id: id)
      case .refused(let error): throw error
      }
      core.tell(state.peer, to: &head)
      if let response = core.configuration.cors.preflight(head) { throw Answer(response: response) }
      let route = try findRoute()
      self.route = route
      expect(by: route.deadline)
      try route.checkLength(of: head)
      if let response = route.quick?(head) {
        stage = .dropping(response)
        return
      }
      if !route.isQuick {
        if core.pool.isFull { throw Busy() }
        let client = core.client(of: head, isAnonymous: route.isAnonymous)
        guard core.requests.take(1, for: client) else { throw Busy() }
        self.client = client
      }
      if route.asksFirst(for: head) {
        stage = .asking
      } else {
        stage = .collecting(try collector(for: route.body.chosen(for: head)))
      }
    } catch {
      isBroken = head.path.isEmpty
      if isBroken { core.tell(state.peer, to: &head) }
      if route == nil { expect(by: core.configuration.headDeadline) }
      stage = .dropping(answer(error))
    }
  }

  private struct Busy: Error {}

  private struct Answer: Error {
    let response: Response
  }

  private func answer(_ error: any Error) -> Response {
    let response: Response
    switch error {
    case is Busy: response = .busy("The server is busy.")
    case let answer as Answer: response = answer.response
    default:
      core.report(error, head.id)
      response =
        error is HTTPError
        ? Router.response(for: error)
        : core.configuration.answer(error) ?? Router.response(for: error)
    }
    return route?.refusing?(response, head) ?? response
  }

  private func expect(by limit: Duration) {
    state.expect(by: UInt64(SteadyClock.nanoseconds) + limit.nanoseconds, isBusy: true)
  }

  private func findRoute() throws -> Route {
    switch core.router.match(head) {
    case .found(let route, let parameters):
      head.parameters = parameters
      head.pattern = route.pattern
      return route
    case .wrongMethod(let allowed): throw Answer(response: core.router.wrongMethod(allowed, head))
    case .notFound: throw Answer(response: core.router.notFound(head))
    }
  }

  private func collector(for body: Body) throws -> any BodyCollector {
    guard head.hasBody else {
      switch body {
      case .memory, .sent: return bytes(0, announced: 0)
      case .file: return try FileCollector(folder: core.configuration.spoolFolder)
      case .multipart: throw noForm
      case .none, .form: return NoCollector()
      }
    }
    switch body {
    case .none: return NoCollector()
    case .file: return try FileCollector(folder: core.configuration.spoolFolder)
    case .sent(let limit): return bytes(limit, announced: head.contentLength)
    case .memory(_, let inflated):
      return try inflating(
        inflated.bytes,
        bytes(
          inflated,
          announced: head.headers["Content-Encoding"] == nil ? head.contentLength : nil))
    case .multipart(let limits):
      guard head.contentType == "multipart/form-data" else { throw noForm }
      return try inflating(
        limits.inflated.bytes,
        FormCollector(connection, limits: limits, folder: core.configuration.spoolFolder))
    case .form: return try collector(for: body.chosen(for: head))
    }
  }

  private func bytes(_ limit: ByteCount, announced: UInt64?) -> BytesCollector {
    BytesCollector(
      limit: limit.bytes, announced: announced, inMemory: core.configuration.bodyInMemory.bytes,
      folder: core.configuration.spoolFolder)
  }

  private var noForm: HTTPError {
    .refused(.unsupportedMediaType, "This route accepts multipart/form-data.")
  }

  private func inflating(
    _ limit: Int, _ collector: any BodyCollector
  ) throws -> any BodyCollector {
    let codings = head.contentCodings
    guard let coding = codings.first else { return collector }
    guard codings.count == 1, let format = StreamInflater.Format(contentCoding: coding) else {
      throw Answer(
        response: .problem(
          .unsupportedMediaType, "Content-Encoding must be gzip, deflate, zstd or identity.",
          headers: ["Accept-Encoding": "gzip, deflate, zstd"]))
    }
    return try InflatingCollector(
      format, limit: limit, ratio: core.configuration.inflationRatio, next: collector)
  }

  // MARK: - Called by libmicrohttpd

  /// Handles the end of the head.
  func start() -> MHD_Result {
    if case .asking = stage {
      if ask() { return .YES }
      stage = .dropping(answer(Busy()))
    }
    if head.hasBody { state.beginBody() }
    guard case .dropping(let response) = stage else { return .YES }
    if isBroken { return queue(response) }
    return head.hasBody ? refuse(response) : .YES
  }

  /// Lets a worker check the authorization; ``finish()`` is called once it has.
  ///
  /// - Returns: Whether there is a worker available.
  private func ask() -> Bool {
    guard let route, core.pool.admit() else { return false }
    state.expect(by: nil, isBusy: true)
    MHD_suspend_connection(connection)
    core.pool.enqueue { [self] in
      do {
        stage = .asked(try route.refusal(of: head))
      } catch {
        stage = .asked(answer(error))
      }
      MHD_resume_connection(connection)
    }
    return true
  }

  /// Continues with the body after the authorization check.
  private func goOn(_ refusal: Response?) -> MHD_Result {
    isUnasked = false
    guard let route else { return .NO }
    expect(by: route.deadline)
    do {
      if let refusal {
        stage = .dropping(refusal)
      } else {
        stage = .collecting(try collector(for: route.body.chosen(for: head)))
      }
    } catch {
      stage = .dropping(answer(error))
    }
    return start()
  }

  /// Handles a chunk of the body.
  func take(_ piece: UnsafeRawBufferPointer) -> MHD_Result {
    received += piece.count
    state.receive(piece.count)
    switch stage {
    case .collecting(let collector):
      do {
        if state.isSlow { throw Self.slow }
        if let limit = route?.body.chosen(for: head).limit, received > limit {
          throw tooLarge(limit)
        }
        let steps = (
          before: (received - piece.count) >> Self.roomStep, now: received >> Self.roomStep
        )
        if steps.now != steps.before, !core.configuration.hasRoom() {
          throw HTTPError.spool(ENOSPC)
        }
        try collector.write(piece)
        try account(for: collector)
        return .YES
      } catch {
        let response = answer(error)
        stage = .dropping(response)
        return error as? HTTPError == Self.slow ? hangUp(response) : refuse(response)
      }
    case .dropping(let response):
      dropped += piece.count
      return dropped > Self.patience || state.isSlow ? hangUp(response) : .YES
    case .lingering:
      dropped += piece.count
      return dropped > 16 * Self.patience ? .NO : .YES
    default: return .NO
    }
  }

  private static let slow = HTTPError.refused(
    .requestTimeout, "The body arrives too slowly.")

  /// Charges the collector's growth to the client's quota. Where memory is short, the body goes to a file.
  private func account(for collector: any BodyCollector) throws {
    guard let client else { return }
    if collector.held > held, !core.memory.take(collector.held - held, for: client) {
      try collector.spill()
      guard collector.held <= held || core.memory.take(collector.held - held, for: client) else {
        throw Busy()
      }
    }
    core.memory.giveBack(held - collector.held, for: client)
    held = collector.held
    let more = collector.spooled - spooled
    guard more > 0 else { return }
    guard core.spool.take(more, for: client) else { throw Busy() }
    spooled += more
  }

  /// Handles the end of the body; called again after the handler's answer or the authorization check.
  func finish() -> MHD_Result {
    if case .asked(let refusal) = stage { return goOn(refusal) }
    state.endReceiving()
    if let error = state.reader.failure(of: number) {
      isBroken = true
      if case .dropping = stage {} else { stage = .dropping(answer(error)) }
    }
    switch stage {
    case .collecting(let collector): return handle(collector)
    case .dropping(let response), .ready(let response): return queue(response)
    default: return .NO
    }
  }

  /// libmicrohttpd is done with the request.
  func complete(_ code: MHD_RequestTerminationCode) {
    stage = .answered
    state.endReceiving()
    if let client {
      core.memory.giveBack(held, for: client)
      core.spool.giveBack(spooled, for: client)
      core.requests.giveBack(1, for: client)
      self.client = nil
    }
    let isExpired = state.isExpired
    state.expect(by: core.headDeadline(after: core.configuration.idleTimeout), isBusy: false)
    core.connections.noteChange()
    let outcome: AccessRecord.Outcome =
      isExpired ? .expired : code == .REQUEST_TERMINATED_COMPLETED_OK ? .done : .aborted
    core.configuration.log(
      AccessRecord(
        id: head.id, method: head.method, pattern: head.pattern,
        target: AccessRecord.target(of: head, hiding: route?.secrets ?? []), status: status,
        received: received, sent: sent,
        microseconds: (UInt64(SteadyClock.nanoseconds) - begun) / 1_000, peer: head.peer,
        outcome: outcome))
    if core.isStopping.load(ordering: .relaxed) {
      shutdown(state.descriptor, Int32(SHUT_RD))
    }
  }

  // MARK: - Refusals

  /// Answers before the body is read.
  private func refuse(_ response: Response) -> MHD_Result {
    let rest = head.contentLength.map { Int(clamping: $0) - received }
    let waits = received == 0 && head.headers["Expect"] != nil
    // A short rest is read, so that the connection can be reused.
    if let rest, rest <= Self.patience, !waits { return .YES }
    if rest == nil, !waits { return .YES }
    // Nothing was sent yet, or the exchange cannot bypass the encryption: the library answers and closes.
    if received == 0 && (waits || core.isSecure) {
      stage = .answered
      return queue(response)
    }
    return hangUp(response)
  }

  /// Writes the answer directly, as the library accepts none in the middle of a body, and lets the client
  /// read it.
  private func hangUp(_ plain: Response) -> MHD_Result {
    var response = plain
    core.configuration.cors.admit(&response, to: head)
    guard !core.isSecure, case .bytes(let body) = response.content else { return .NO }
    var text = "HTTP/1.1 \(response.status.code) \(response.status.reason)\r\n"
    for field in response.headers.fields { text += "\(field.name): \(field.value)\r\n" }
    text += "Cache-Control: no-store\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    let bytes = Array(text.utf8) + (head.method == "HEAD" ? [] : body.array)
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    guard send(state.descriptor, bytes, bytes.count, flags) == bytes.count else { return .NO }
    shutdown(state.descriptor, Int32(SHUT_WR))
    status = response.status.code
    sent = UInt64(body.count)
    stage = .lingering
    dropped = 0
    state.expect(
      by: UInt64(SteadyClock.nanoseconds) + Duration.seconds(5).nanoseconds, isBusy: true)
    return .YES
  }

  // MARK: - Handling

  private func handle(_ collector: any BodyCollector) -> MHD_Result {
    let content: BodyContent
    do {
      content = try collector.finish()
    } catch {
      return queue(answer(error))
    }
    guard let route else { return .NO }
    let request = Request(head, body: content)
    // Its answers are never held.
    if route.isQuick { return queue(respond(route, request)) }
    guard core.pool.admit() else { return queue(answer(Busy())) }
    stage = .handling
    // The client is not charged for the handler's time.
    state.expect(by: nil, isBusy: true)
    MHD_suspend_connection(connection)
    core.pool.enqueue { [self] in
      let response = respond(route, request)
      guard let hold = response.hold else {
        stage = .ready(response)
        MHD_resume_connection(connection)
        return
      }
      core.pool.stay()
      // Whoever ends the hold has the exchange from here on.
      hold.whenEnded { [self, core] outcome in
        switch outcome {
        case .success: stage = .ready(response)
        case .failure(let error): stage = .ready(answer(error))
        }
        MHD_resume_connection(connection)
        core.pool.leave()
      }
    }
    return .YES
  }

  private func respond(_ route: Route, _ request: Request) -> Response {
    do {
      if isUnasked, let refusal = try route.refusal(of: head) { return refusal }
      return try route.respond(to: request)
    } catch {
      return answer(error)
    }
  }

  private func queue(_ plain: Response) -> MHD_Result {
    var response = plain
    core.configuration.cors.admit(&response, to: head)
    stage = .answered
    status = response.status.code
    guard let (handle, count) = make(response) else { return .NO }
    defer { MHD_destroy_response(handle) }
    for field in response.headers.fields {
      MHD_add_response_header(handle, field.name, field.value)
    }
    if response.headers["X-Content-Type-Options"] == nil {
      MHD_add_response_header(handle, "X-Content-Type-Options", "nosniff")
    }
    // Responses to authenticated requests are private, and a refusal must not be reused later.
    if response.headers["Cache-Control"] == nil {
      MHD_add_response_header(handle, "Cache-Control", "no-store")
    }
    if isBroken || core.isStopping.load(ordering: .relaxed) {
      MHD_add_response_header(handle, "Connection", "close")
    }
    let isBare = head.method == "HEAD" || status == 204 || status == 304
    sent = isBare ? 0 : count ?? 0
    let speed = UInt64(max(core.configuration.leastSpeed, 1))
    let limit = route?.deadline ?? core.configuration.headDeadline
    // A stream of unknown length is bounded by the idle timeout alone.
    state.expect(
      by: count.map {
        // For a year at most, whatever the length.
        UInt64(SteadyClock.nanoseconds) + limit.nanoseconds + min($0 / speed, 31_536_000)
          * 1_000_000_000
      }, isBusy: true)
    return MHD_queue_response(connection, UInt32(status), handle)
  }

  /// The library's form of a response, and the length of its body where known.
  private func make(_ response: Response) -> (OpaquePointer, UInt64?)? {
    switch response.content {
    case .bytes(let bytes):
      let handle = bytes.withUnsafeBytes {
        MHD_create_response_from_buffer(
          $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
      }
      return handle.map { ($0, UInt64(bytes.count)) }
    case .file(let file):
      // The library closes the descriptor passed to it.
      let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { return nil }
      let handle = MHD_create_response_from_fd_at_offset64(file.count, descriptor, file.offset)
      if handle == nil { close(descriptor) }
      return handle.map { ($0, file.count) }
    case .stream(let next):
      let stream = Unmanaged.passRetained(ResponseStream(next))
      let handle = MHD_create_response_from_callback(
        cmhd_size_unknown(), 64 << 10, readStream, stream.toOpaque(), releaseStream)
      if handle == nil { stream.release() }
      return handle.map { ($0, nil) }
    }
  }
}
