internal import Bytes
internal import Files
internal import Glibc
internal import Workers

/// Sends one request repeatedly over connections that stay open, and measures the responses.
enum HTTPLoad {
  private struct Target {
    let host: String
    let port: UInt16
    let path: String

    /// `http://ADDRESS:PORT/path`, with a numeric IPv4 address.
    init?(_ url: String) {
      guard url.hasPrefix("http://") else { return nil }
      let rest = url.dropFirst(7)
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      let parts = rest[..<slash].split(separator: ":")
      guard let first = parts.first, let port = UInt16(parts.count > 1 ? parts[1] : "80") else {
        return nil
      }
      host = first == "localhost" ? "127.0.0.1" : String(first)
      self.port = port
      path = slash == rest.endIndex ? "/" : String(rest[slash...])
    }
  }

  private struct LoadResult {
    var latencies: [UInt32] = []
    var statuses: [Int: Int] = [:]
    var failures = 0
  }

  private enum Failure: Error, CustomStringConvertible {
    case usage(String)

    var description: String {
      switch self {
      case .usage(let text): text
      }
    }
  }

  /// - Parameters:
  ///   - arguments: `URL [--connections N] [--seconds N] [--body FILE [--gzip]] [--unique TEXT] [--header
  ///     "Name: value"]... [--method M]`. With `--gzip` the file is gzip data already. With several files,
  ///     each request takes the next. Each occurrence of the text is replaced by a number of its length, a
  ///     different one in each request.
  static func run(_ arguments: [String]) throws {
    guard let url = arguments.first, let target = Target(url) else {
      throw Failure.usage("http-load needs a URL such as http://127.0.0.1:8080/path")
    }
    var connections = 32
    var seconds = 5
    var method: String?
    var headers = ""
    var bodies: [ByteView] = []
    var unique = ""
    var index = 1
    while index < arguments.count {
      let value = index + 1 < arguments.count ? arguments[index + 1] : ""
      switch arguments[index] {
      case "--connections": connections = Int(value) ?? 0
      case "--seconds": seconds = Int(value) ?? 0
      case "--method": method = value
      case "--header": headers += value + "\r\n"
      case "--body": bodies.append(try ByteView(mapping: value))
      case "--unique": unique = value
      case "--gzip":
        headers += "Content-Encoding: gzip\r\n"
        index -= 1
      default: throw Failure.usage("http-load: unknown option \(arguments[index])")
      }
      index += 2
    }
    guard (1...10_000).contains(connections), (1...3600).contains(seconds) else {
      throw Failure.usage("http-load: --connections and --seconds are numbers")
    }
    let verb = method ?? (bodies.isEmpty ? "GET" : "POST")
    let requests = (bodies.isEmpty ? [.empty] : bodies).map { body in
      let length = verb == "GET" ? "" : "Content-Length: \(body.count)\r\n"
      let head =
        "\(verb) \(target.path) HTTP/1.1\r\nHost: \(target.host)\r\n\(headers)\(length)\r\n"
      return LoadRequest(Array(head.utf8) + body.array, unique: Array(unique.utf8))
    }
    // The numbers are unique to this run, and to each of its threads.
    let first = now() / 1_000 % 1_000_000_000
    let threads = min(connections, 2)
    let start = now()
    let end = start + UInt64(seconds) * 1_000_000_000
    let loops = (0..<threads).map { thread in
      let count = connections / threads + (thread < connections % threads ? 1 : 0)
      return Background(isOn: true) {
        var loop = LoadLoop(
          requests: requests, count: count, end: end, first: first &+ UInt64(thread),
          step: UInt64(threads))
        loop.run(host: target.host, port: target.port)
        return loop
      }
    }
    let ends = loops.map { $0.value() }
    let time = Double(now() - start) / 1e9
    var total = LoadResult()
    for outcome in ends {
      total.latencies += outcome.latencies
      total.statuses.merge(outcome.statuses, uniquingKeysWith: +)
      total.failures += outcome.failures
    }
    total.latencies.sort()
    show(total, time: time)
  }

  private static func show(_ total: LoadResult, time: Double) {
    func percentile(_ part: Double) -> UInt32 {
      guard let last = total.latencies.last else { return 0 }
      let index = Int(Double(total.latencies.count) * part)
      return index < total.latencies.count ? total.latencies[index] : last
    }
    print("requests \(total.latencies.count)")
    print("requests_per_second \(Int(Double(total.latencies.count) / time))")
    for (name, part) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999), ("max", 1)] {
      print("latency_us_\(name) \(percentile(part))")
    }
    for (status, count) in total.statuses.sorted(by: { $0.key < $1.key }) {
      print("status_\(status) \(count)")
    }
    print("failures \(total.failures)")
  }

  static func now() -> UInt64 { UInt64(SteadyClock.nanoseconds) }
}
