internal import Database

/// Progress of the check of an origin, as stored in `regroup.phase`; see ``Regrouping``.
enum RegroupPhase: Int, SQLBindable {
  case verifyKeys = 0
  case claim = 1
  case reassign = 2
  case arrange = 3
}
