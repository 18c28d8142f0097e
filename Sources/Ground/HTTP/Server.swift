internal import Bytes
internal import CMicrohttpd
internal import Dispatch
internal import Files
internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server over libmicrohttpd.
///
/// Network threads move bytes; handlers run on workers, their connections suspended meanwhile.
///
/// `Sendable`: the library's functions that are called here take its own locks.
public final class Server: Sendable {
  private struct Running: @unchecked Sendable {
    let daemons: Daemons
    let core: Unmanaged<ServerCore>
    let reception: Acceptor
    let timer: ServerThread
  }

  private let configuration: ServerConfiguration
  private let router: Router
  private let running = Mutex<Running?>(nil)
  /// Ends the thread that looks after deadlines.
  private let timerEnd = DispatchSemaphore(value: 0)

  public init(_ configuration: ServerConfiguration, router: Router) {
    self.configuration = configuration
    self.router = router
  }

  /// Begins to listen and to answer.
  ///
  /// SIGPIPE is ignored in the whole process from here on.
  /// - Throws: ``HTTPError/start(_:)`` with what is wrong.
  public func start() throws(HTTPError) {
    signal(SIGPIPE, SIG_IGN)
    guard isReading else {
      throw .start("this version of libmicrohttpd reads requests in a way that cannot be guarded")
    }
    let certificate = try Self.certificate(configuration.tls)
    let listener = try Listener(configuration.listen)
    do throws(HTTPError) {
      let core = try ServerCore(configuration, router)
      let timer: ServerThread
      do throws(HTTPError) {
        timer = try ServerThread { [self, core] in
          repeat {
            let now = UInt64(SteadyClock.nanoseconds)
            core.connections.slow(
              at: now, least: core.configuration.leastBodySpeed,
              window: core.configuration.bodySpeedWindow.nanoseconds)
            core.connections.expire(at: now)
            core.connections.endGone()
            running.withLock { $0?.daemons }?.stopUnused()
          } while timerEnd.wait(timeout: .now() + .milliseconds(100)) == .timedOut
        }
      } catch {
        core.pool.close()
        throw error
      }
      let context = Unmanaged.passRetained(core)
      func giveUp() {
        timerEnd.signal()
        timer.join()
        core.pool.close()
        context.release()
      }
      guard let daemon = Self.startDaemon(core, context.toOpaque(), certificate) else {
        giveUp()
        throw .start(
          certificate == nil
            ? "the HTTP library did not start"
            : "the HTTP library did not start; are certificate and key a pair in PEM?")
      }
      let daemons = Daemons(daemon)
      let reception: Acceptor
      do throws(HTTPError) {
        reception = try Acceptor(
          listener, daemons, core.connections, limit: configuration.connections,
          limitPerNetwork: configuration.connectionsPerAddress)
      } catch {
        daemons.stop()
        giveUp()
        throw error
      }
      running.withLock {
        $0 = Running(daemons: daemons, core: context, reception: reception, timer: timer)
      }
    } catch {
      listener.close()
      throw error
    }
  }

  /// The port that it listens on; 0 for a Unix socket, or when it is not running.
  public var port: UInt16 { running.withLock { $0?.reception.listener.port ?? 0 } }

  /// Answers requests that begin from now on by other routes; what has begun ends as it began.
  public func use(_ router: Router) {
    running.withLock { $0?.core.takeUnretainedValue().use(router) }
  }

  /// Shows another certificate to clients that come from now on; the others keep their connections.
  ///
  /// A server that began without one goes on without.
  /// - Throws: ``HTTPError/start(_:)`` with what is wrong; everything is as before then.
  public func use(_ tls: ServerConfiguration.TLS) throws(HTTPError) {
    guard configuration.tls != nil, let running = running.withLock({ $0 }) else { return }
    let certificate = try Self.certificate(tls)
    guard
      let daemon = Self.startDaemon(
        running.core.takeUnretainedValue(), running.core.toOpaque(), certificate)
    else { throw .start("certificate and key are not a pair in PEM") }
    running.daemons.replace(with: daemon)
  }

  /// Open connections.
  public var connectionCount: Int {
    running.withLock { $0?.core.takeUnretainedValue().connections.count ?? 0 }
  }

  /// Takes no new clients, finishes the requests that have begun, and stops; after `limit` what is
  /// left is cut off. A handler that runs is waited for in any case.
  ///
  /// - Returns: Whether everything was finished in time.
  @discardableResult
  public func stop(within limit: Duration) -> Bool {
    let running = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let running else { return true }
    let core = running.core.takeUnretainedValue()
    core.isStopping.store(true, ordering: .relaxed)
    running.reception.stop()
    let end = UInt64(SteadyClock.nanoseconds) + limit.nanoseconds
    var isDone = true
    while core.connections.count > 0 {
      let now = UInt64(SteadyClock.nanoseconds)
      if now >= end {
        isDone = false
        core.connections.endAll()
        break
      }
      running.reception.waitForChange(
        milliseconds: Int32(clamping: (end - now) / 1_000_000 + 1)
      ) {
        core.connections.endIdle()
        return core.connections.count == 0
      }
    }
    // The library must not be stopped with connections suspended.
    core.pool.close()
    timerEnd.signal()
    running.timer.join()
    running.daemons.stop()
    running.reception.listener.close()
    running.core.release()
    return isDone
  }

  private static func startDaemon(
    _ core: ServerCore, _ context: UnsafeMutableRawPointer,
    _ certificate: ([CChar], [CChar])?
  ) -> OpaquePointer? {
    let configuration = core.configuration
    var flags =
      MHD_USE_EPOLL.rawValue | MHD_USE_INTERNAL_POLLING_THREAD.rawValue
      | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
    let completed: MHD_RequestCompletedCallback = completeRequest
    let changed: MHD_NotifyConnectionCallback = changeConnection
    func option(_ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil)
      -> MHD_OptionItem
    { MHD_OptionItem(option: option, value: value, ptr_value: pointer) }
    var options = [
      option(.NOTIFY_COMPLETED, unsafeBitCast(completed, to: Int.self), context),
      option(.NOTIFY_CONNECTION, unsafeBitCast(changed, to: Int.self), context),
      option(.UNESCAPE_CALLBACK, cmhd_unescape_callback()),
      option(.THREAD_POOL_SIZE, max(configuration.networkThreads, 2)),
      // The reception keeps to the limit, and may be ahead of what it sees of the connections.
      option(.CONNECTION_LIMIT, configuration.connections * 2),
      option(.CONNECTION_TIMEOUT, max(Int(configuration.idleTimeout.components.seconds), 1)),
      // The library sees short heads of our own only, and clears all of this after each request.
      option(.CONNECTION_MEMORY_LIMIT, 32 << 10),
      option(.STRICT_FOR_CLIENT, 1),
      option(.SIGPIPE_HANDLED_BY_APP, 1),
    ]
    guard let (chain, key) = certificate else {
      options.append(option(.END, 0))
      return cmhd_start(flags, answerRequest, context, &options)
    }
    flags |= MHD_USE_TLS.rawValue
    // The library reads the texts while it starts.
    return chain.withUnsafeBytes { chain in
      key.withUnsafeBytes { key in
        "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2".withCString { priorities in
          func pointer(_ bytes: UnsafeRawPointer?) -> UnsafeMutableRawPointer? {
            UnsafeMutableRawPointer(mutating: bytes)
          }
          options += [
            option(.HTTPS_MEM_CERT, 0, pointer(chain.baseAddress)),
            option(.HTTPS_MEM_KEY, 0, pointer(key.baseAddress)),
            option(.HTTPS_PRIORITIES, 0, pointer(priorities)),
            option(.END, 0),
          ]
          return cmhd_start(flags, answerRequest, context, &options)
        }
      }
    }
  }

  private static func certificate(
    _ tls: ServerConfiguration.TLS?
  ) throws(HTTPError) -> ([CChar], [CChar])? {
    guard let tls else { return nil }
    return (try pem(tls.certificatePath), try pem(tls.keyPath))
  }

  /// A PEM file as a C string.
  private static func pem(_ path: String) throws(HTTPError) -> [CChar] {
    let text: ByteView
    do throws(FileError) {
      text = try OpenFile.opening(path).next(1 << 20, name: path)
    } catch {
      throw .start("\(path): \(error.reason)")
    }
    guard !text.isEmpty, text.count < 1 << 20 else { throw .start("\(path): not a PEM file") }
    return text.array.map { CChar(bitPattern: $0) } + [0]
  }
}

// MARK: - Callbacks

private func answerRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ target: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
  _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let size, let slot else { return .NO }
  guard let known = slot.pointee else {
    // A request that was not read by our reader ends its connection.
    guard let target, let state = cmhd_socket_context(connection) else { return .NO }
    let client = Unmanaged<ClientConnection>.fromOpaque(state).takeUnretainedValue()
    guard let received = client.reader.take(target) else { return .NO }
    let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    let exchange = Exchange(core, connection, client, received)
    slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return exchange.start()
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  guard size.pointee > 0 else { return exchange.finish() }
  let piece = UnsafeRawBufferPointer(start: upload, count: size.pointee)
  size.pointee = 0
  return exchange.take(piece)
}

/// The library's reading from a client.
private func readClient(
  _ context: UnsafeMutableRawPointer?, _ source: UnsafeMutablePointer<cmhd_source>?,
  _ buffer: UnsafeMutableRawPointer?, _ size: Int
) -> Int {
  guard let context, let source else { return CMHD_FAILED }
  return Unmanaged<ClientConnection>.fromOpaque(context).takeUnretainedValue().reader.read(
    into: UnsafeMutableRawBufferPointer(start: buffer, count: size), from: source)
}

/// Once a process.
private let isReading = cmhd_start_reading(readClient) == 1

private func completeRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
  guard let slot, let known = slot.pointee else { return }
  slot.pointee = nil
  Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue().complete(code)
}

private func changeConnection(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ change: MHD_ConnectionNotificationCode
) {
  guard let context, let slot else { return }
  let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
  if let known = slot.pointee {
    slot.pointee = nil
    let state = Unmanaged<ClientConnection>.fromOpaque(known).takeRetainedValue()
    cmhd_set_context(state.descriptor, nil)
    core.connections.remove(state)
  } else if change == .CONNECTION_NOTIFY_STARTED {
    let state = ClientConnection(
      cmhd_descriptor(connection),
      peer: cmhd_peer(connection).flatMap { PeerAddress($0) }.map(ConnectionPeer.init),
      deadline: core.headDeadline(after: .zero),
      headLimit: core.configuration.headMemory.bytes)
    core.connections.add(state)
    let client = Unmanaged.passRetained(state).toOpaque()
    slot.pointee = client
    cmhd_set_context(state.descriptor, client)
  }
}
