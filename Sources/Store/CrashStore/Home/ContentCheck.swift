/// What a look at the names and sizes of a store's contents found.
public struct ContentCheck: Sendable {
  /// Contents that rows name.
  public internal(set) var count = 0
  /// Those of them that are missing, empty or of another size.
  public internal(set) var missing = 0
  /// The first of those that are missing, as people know them: `debug file Tern (5C3D...)`.
  public internal(set) var names: [String] = []
}
