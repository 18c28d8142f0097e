internal import Bytes
internal import JSON

/// Why a request is refused, for people and for programs: a problem document (RFC 9457).
///
///     {"type": "urn:mayday:problem:invalid_query", "title": "Invalid query", "status": 400,
///      "code": "invalid_query", "detail": "no field 'colour'", "parameter": "query", "position": 3}
public struct Problem: Error, Sendable, Equatable {
  public var status: Status
  public var code: ProblemCode
  public var detail: String
  /// The parameter of the query that is wrong.
  public var parameter: String?
  /// The member of the body that is wrong.
  public var member: String?
  /// Where the parameter or member is wrong, in characters (Unicode scalars) from 0.
  public var position: Int?
  public var headers: Headers

  /// - Parameter code: By default the one that says no more than the status.
  public init(
    _ status: Status, _ detail: String = "", code: ProblemCode? = nil, parameter: String? = nil,
    member: String? = nil, position: Int? = nil, headers: Headers = [:]
  ) {
    self.status = status
    self.code = code ?? ProblemCode(of: status)
    self.detail = detail
    self.parameter = parameter
    self.member = member
    self.position = position
    self.headers = headers
  }

  public var response: Response {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("type", "urn:mayday:problem:" + code.rawValue)
    writer.member("title", code.title)
    writer.member("status", status.code)
    writer.member("code", code.rawValue)
    if !detail.isEmpty { writer.member("detail", detail) }
    writer.member("parameter", parameter)
    writer.member("member", member)
    writer.member("position", position)
    writer.endObject()
    return .bytes(
      ByteView(writer.takeBytes()), type: "application/problem+json", status: status,
      headers: headers)
  }
}
