/// An independent model of groups when debug files arrive late: the rules of the store, without its
/// tables, batches and transactions.
struct LateModel {
  /// A call in some module. If the debug file of a module of the app is missing, the signature is
  /// provisional.
  struct Call: Hashable {
    let module: String
    let offset: Int
    let function: String
    let isApp: Bool
  }

  /// A crash with its calls, the innermost first.
  struct Crash {
    let calls: [Call]

    /// The signature's text if the debug files of `modules` are there.
    func text(with modules: Set<String>) -> String {
      calls.map { call in
        modules.contains(call.module)
          ? call.function : call.isApp ? "\(call.module)+\(call.offset)" : "[\(call.module)]"
      }.joined(separator: " | ")
    }

    func isProvisional(with modules: Set<String>) -> Bool {
      calls.contains { $0.isApp && !modules.contains($0.module) }
    }

    var modules: Set<String> { Set(calls.map(\.module)) }
  }

  private let crashes: [Crash]
  private(set) var modules: Set<String> = []
  /// The number of each crash's group.
  private(set) var groups: [Int] = []
  /// The group of each text.
  private var owners: [String: Int] = [:]
  private var last = 0

  /// Stores crashes one after the other, without any debug file.
  init(_ crashes: [Crash]) {
    self.crashes = crashes
    for crash in crashes { groups.append(owner(of: crash.text(with: []))) }
  }

  /// The crashes of each group, as sets of their positions.
  var partition: Set<Set<Int>> {
    Set(Dictionary(grouping: groups.indices) { groups[$0] }.values.map { Set($0) })
  }

  /// Debug files arrive, and all crashes that wait for them are reprocessed.
  mutating func add(_ new: Set<String>) {
    modules.formUnion(new)
    let texts = crashes.map { $0.text(with: modules) }
    func members(_ group: Int) -> [Int] { groups.indices.filter { groups[$0] == group } }
    // A text that no crash of a group has any more is not its text any more.
    owners = owners.filter { text, group in members(group).contains { texts[$0] == text } }
    for group in Set(groups).sorted() {
      let members = members(group)
      if members.isEmpty || members.contains(where: { owners[texts[$0]] == group }) { continue }
      let classes = Dictionary(grouping: members) { texts[$0] }.values
      guard
        let most = classes.max(by: { ($0.count, -$0[0]) < ($1.count, -$1[0]) }).map({ texts[$0[0]] }
        )
      else { continue }
      if let other = owners[most] {
        let (kept, gone) = (min(group, other), max(group, other))
        groups = groups.map { $0 == gone ? kept : $0 }
        owners = owners.mapValues { $0 == gone ? kept : $0 }
      } else {
        owners[most] = group
      }
    }
    for group in Set(groups).sorted() {
      for crash in members(group) where owners[texts[crash]] != group {
        groups[crash] = owner(of: texts[crash])
      }
    }
  }

  private mutating func owner(of text: String) -> Int {
    if let owner = owners[text] { return owner }
    last += 1
    owners[text] = last
    return last
  }
}
