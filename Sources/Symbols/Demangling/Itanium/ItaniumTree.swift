/// The parts of a name, which the parser fills and the printer reads.
struct ItaniumTree: ~Copyable {
  /// The mangled name.
  let bytes: UnsafePointer<UInt8>
  var nodes: NodeArray<ItaniumNode>
  var elements = NodeArray<ItaniumNode.ID>(capacity: 32)
  var functions = NodeArray<ItaniumFunction>(capacity: 2)
  var closures = NodeArray<ItaniumClosure>(capacity: 1)

  init(of bytes: UnsafePointer<UInt8>, capacity: Int) {
    self.bytes = bytes
    nodes = NodeArray(capacity: capacity)
  }
}
