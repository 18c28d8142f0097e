internal import Files
internal import Glibc

/// The connections of one thread of a load, driven by poll(2), one request at a time on each.
struct LoadLoop: Sendable {
  private struct Link {
    var socket: Int32
    var request: [UInt8] = []
    var sent = 0
    var begun: UInt64 = 0
    var input: [UInt8] = []
    var isWriting = true
  }

  private let requests: [LoadRequest]
  private let end: UInt64
  private var links: [Link]
  private var next = 0
  private var number: UInt64
  private let step: UInt64
  private(set) var latencies: [UInt32] = []
  private(set) var statuses: [Int: Int] = [:]
  private(set) var failures = 0

  /// - Parameters:
  ///   - first: The number of the first request with a mark.
  ///   - step: The difference between consecutive numbers.
  init(requests: [LoadRequest], count: Int, end: UInt64, first: UInt64, step: UInt64) {
    number = first
    self.step = step
    self.requests = requests
    self.end = end
    links = Array(repeating: Link(socket: -1), count: count)
  }

  /// Runs until the end of the time.
  mutating func run(host: String, port: UInt16) {
    for index in links.indices { begin(index, host, port) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while HTTPLoad.now() < end {
      var polls = links.map { link in
        pollfd(
          fd: link.socket, events: Int16(link.isWriting ? POLLOUT : POLLIN), revents: 0)
      }
      guard poll(&polls, nfds_t(polls.count), 100) > 0 else { continue }
      for index in links.indices where polls[index].revents != 0 {
        let isFine = links[index].isWriting ? write(index) : read(index, &buffer)
        if isFine { continue }
        failures += 1
        close(links[index].socket)
        links[index] = Link(socket: -1)
        begin(index, host, port)
      }
    }
    for link in links where link.socket >= 0 { close(link.socket) }
  }

  /// Connects, and begins the first request.
  private mutating func begin(_ index: Int, _ host: String, _ port: UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let isOpen = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isOpen else {
      close(descriptor)
      failures += 1
      SteadyClock.pause(seconds: 0.01)
      return
    }
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    links[index].socket = descriptor
    beginRequest(index)
  }

  private mutating func beginRequest(_ index: Int) {
    links[index].request = requests[next % requests.count].bytes(number: number)
    next += 1
    number &+= step
    links[index].sent = 0
    links[index].input.removeAll(keepingCapacity: true)
    links[index].isWriting = true
    links[index].begun = HTTPLoad.now()
  }

  private mutating func write(_ index: Int) -> Bool {
    let request = links[index].request
    let sent = links[index].sent
    let count = request.withUnsafeBytes {
      send(
        links[index].socket, $0.baseAddress?.advanced(by: sent), request.count - sent,
        Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { return errno == EAGAIN }
    links[index].sent += count
    if links[index].sent == request.count { links[index].isWriting = false }
    return true
  }

  private mutating func read(_ index: Int, _ buffer: inout [UInt8]) -> Bool {
    let count = recv(links[index].socket, &buffer, buffer.count, 0)
    guard count > 0 else { return count < 0 && errno == EAGAIN }
    links[index].input += buffer[..<count]
    guard let status = wholeAnswer(links[index].input) else { return true }
    let time = (HTTPLoad.now() - links[index].begun) / 1_000
    latencies.append(UInt32(clamping: time))
    statuses[status, default: 0] += 1
    beginRequest(index)
    return write(index)
  }

  /// Returns the status of a complete response; its length must be given by Content-Length.
  private func wholeAnswer(_ input: [UInt8]) -> Int? {
    guard
      let end = input.indices.first(where: { index in
        index + 3 < input.count && input[index] == 13 && input[index + 1] == 10
          && input[index + 2] == 13 && input[index + 3] == 10
      })
    else { return nil }
    let lines = String(decoding: input[..<end], as: UTF8.self).split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    var length = 0
    for line in lines where line.lowercased().hasPrefix("content-length:") {
      length = Int(line.dropFirst(15).drop { $0 == " " }) ?? 0
    }
    return input.count >= end + 4 + length ? status : nil
  }
}
