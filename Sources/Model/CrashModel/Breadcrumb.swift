public import Identifiers

/// An action of the app before it crashed.
public struct Breadcrumb: Hashable, Sendable {
  public var time: Timestamp
  public var name: String
  public var properties: [String: String]

  public init(time: Timestamp, name: String, properties: [String: String] = [:]) {
    self.time = time
    self.name = name
    self.properties = properties
  }
}
