import Arguments
import Pipeline
import ServerStore

/// `mayday intake discard`
struct IntakeDiscardCommand: Command {
  static let name = "discard"
  static let summary = "Take submissions that were set aside away for good."
  static let discussion = "The ledger counts them as refused, unless it has done so before."
  static let examples = [Example("mayday intake discard 17", "One of them.")]

  @Argument("ID", help: "The numbers that intake list shows.", isRequired: false)
  var ids: [Int]
  @Flag("--all", help: "All that were set aside.") var isAll
  @OptionGroup var home = HomeOptions()
  @OptionGroup var messages = MessageOptions()

  func validate() throws(UsageError) {
    if ids.isEmpty == !isAll { throw UsageError("ID or --all is needed, and one of the two") }
  }

  func run() throws {
    let (queue, store) = try home.openQueue()
    let shelf = SetAsideShelf(queue, in: store)
    for id in ids where try queue.setAside(id) == nil { throw CommandFailure.notSetAside(id) }
    var count = 0
    if isAll {
      while true {
        let page = try queue.setAside()
        if page.isEmpty { break }
        for record in page where try shelf.discard(record.id) { count += 1 }
      }
    } else {
      for id in ids where try shelf.discard(id) { count += 1 }
    }
    messages.console.say("\(GroupText.count(count, "submission", "submissions")) discarded.")
  }
}
