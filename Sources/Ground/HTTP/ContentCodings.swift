internal import Bytes
internal import Compression

/// Sends texts and JSON compressed to clients that accept it (RFC 9110 12.5.3).
///
/// A compressed answer is another representation: it has an entity tag of its own, made of the plain one's, and
/// conditions in a request may name either.
public struct ContentCodings: Middleware {
  private enum Coding: String, CaseIterable {
    // In the order of preference.
    case zstd, gzip
  }

  /// Shorter answers stay as they are, in bytes.
  private static let least = 1_024

  public init() {}

  public func respond(to request: Request, next: (Request) throws -> Response) throws -> Response {
    let coding = Self.coding(for: request.head)
    var plain = request
    for name in ["If-None-Match", "If-Match"] {
      let conditions = request.head.headers.values(of: name)
      guard !conditions.isEmpty else { continue }
      plain.head.headers[name] = Self.withoutCodings(conditions.joined(separator: ", "))
    }
    var response = try next(plain)
    // Which of the two it is, an answer without content shows by its tag.
    let isUnchanged = response.status == .notModified
    guard isUnchanged || Self.isText(response) else { return response }
    response.headers.add("Vary", "Accept-Encoding")
    guard let coding, case .bytes(let bytes) = response.content,
      isUnchanged || bytes.count >= Self.least
    else { return response }
    if isUnchanged {
      // Short answers have the plain tag only: the client knows which one it has.
      guard let tag = response.headers["ETag"],
        request.head.headers.list("If-None-Match").contains(Self.tag(tag, coding))
      else { return response }
      response.headers["ETag"] = Self.tag(tag, coding)
      return response
    }
    switch coding {
    case .zstd: response.content = .bytes(try Zstandard.compress(bytes))
    case .gzip: response.content = .bytes(try Gzip.compress(bytes))
    }
    response.headers["Content-Encoding"] = coding.rawValue
    response.headers["ETag"] = response.headers["ETag"].map { Self.tag($0, coding) }
    return response
  }

  private static func isText(_ response: Response) -> Bool {
    guard response.headers["Content-Encoding"] == nil,
      let type = response.headers["Content-Type"]?.prefix(while: { $0 != ";" })
    else { return false }
    return type.hasPrefix("text/") || type == "application/json" || type.hasSuffix("+json")
  }

  // MARK: Entity tags

  private static func tag(_ tag: String, _ coding: Coding) -> String {
    tag.hasSuffix("\"") ? "\(tag.dropLast())-\(coding.rawValue)\"" : tag
  }

  private static func withoutCodings(_ condition: String) -> String {
    Coding.allCases.reduce(condition) { $0.replacing("-\($1.rawValue)\"", with: "\"") }
  }

  // MARK: Accept-Encoding

  /// The coding that the client likes best; `nil` for none.
  private static func coding(for head: RequestHead) -> Coding? {
    var weights: [String: Int] = [:]
    for element in head.headers.list("Accept-Encoding") {
      let parts = element.split(separator: ";").map { $0.trimmingBlanks().lowercased() }
      guard let name = parts.first, let weight = Self.weight(parts.dropFirst()) else { continue }
      weights[name == "x-gzip" ? "gzip" : name] = weight
    }
    let identity = weights["identity"] ?? 0
    var best: (coding: Coding, weight: Int)?
    for coding in Coding.allCases {
      let weight = weights[coding.rawValue] ?? weights["*"] ?? 0
      if weight > 0, weight > best?.weight ?? 0 { best = (coding, weight) }
    }
    return best.flatMap { $0.weight >= identity ? $0.coding : nil }
  }

  /// In thousandths; `nil` for what is not a weight.
  private static func weight(_ parameters: ArraySlice<String>) -> Int? {
    guard let text = parameters.first(where: { $0.hasPrefix("q=") })?.dropFirst(2) else {
      return 1_000
    }
    guard let value = Double(text), (0...1).contains(value) else { return nil }
    return Int(value * 1_000)
  }
}
