// Crashes below generics, closures and a protocol.
protocol Shape { func area(_ depth: Int) -> Int }

struct Nested<Inner: Shape>: Shape {
  var inner: Inner
  @inline(never) func area(_ depth: Int) -> Int { inner.area(depth + 1) + depth }
}

struct Point: Shape {
  @inline(never) func area(_ depth: Int) -> Int {
    switch CommandLine.arguments.last {
    case "array": return [1, 2, 3][depth + 3]
    case "unwrap": return Int("none \(depth)")!
    default: return UnsafePointer<Int>(bitPattern: 8)!.pointee
    }
  }
}

let shapes: [any Shape] = [Nested(inner: Nested(inner: Nested(inner: Point())))]
print(shapes.map { $0.area(1) })
