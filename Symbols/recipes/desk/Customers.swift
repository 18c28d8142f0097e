/// Who buys here, by number.
final class Customers {
  private let names = [1: "wren", 2: "robin", 3: "heron"]
  private let parents = ["owls": "birds of prey", "night birds": "owls", "birds of prey": "night birds"]

  func name(of number: Int) -> String? { names[number] }

  /// How deep a customer group lies below the top.
  @inline(never)
  func depth(of group: String, path: [String] = []) -> Int {
    guard let parent = parents[group] else { return path.count }
    let above = depth(of: parent, path: [group])
    return above > 0 ? above + path.count : 0
  }
}

@inline(never)
func greet(_ number: Int, in customers: Customers) -> String {
  let name = customers.name(of: number)!
  return "Good morning, \(name)"
}
