/// The parts of a name, which the parser fills and the printer reads.
struct ItaniumTree: ~Copyable {
  /// The mangled name.
  let bytes: UnsafePointer<UInt8>
  var nodes: Growing<ItaniumNode>
  var elements = Growing<ItaniumNode.ID>(capacity: 32)
  var functions = Growing<ItaniumFunction>(capacity: 2)
  var closures = Growing<ItaniumClosure>(capacity: 1)

  init(of bytes: UnsafePointer<UInt8>, capacity: Int) {
    self.bytes = bytes
    nodes = Growing(capacity: capacity)
  }
}
