/// The file that holds the day's sales.
final class Store {
  private let path: String

  init(path: String) { self.path = path }

  @inline(never)
  func open() -> Int {
    guard path.hasSuffix(".till") else { refuse(path) }
    return path.count
  }
}

@inline(never)
private func refuse(_ path: String) -> Never {
  fatalError("cannot open the store at \(path)")
}
