/// The result of checking the names and sizes of a store's contents.
public struct ContentCheck: Sendable {
  /// Number of contents that rows name.
  public internal(set) var count = 0
  /// Number of these that are missing, empty or of another size.
  public internal(set) var missing = 0
  /// Descriptions of the first missing ones: `debug file Tern (5C3D...)`.
  public internal(set) var names: [String] = []
}
