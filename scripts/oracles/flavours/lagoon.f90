! A small program with a module, contained procedures and a common entry.
module lagoon
  implicit none
contains
  pure integer function rise(level)
    integer, intent(in) :: level
    rise = level * 7 + 3
  end function

  recursive integer function ladder(rungs, value) result(sum)
    integer, intent(in) :: rungs, value
    if (rungs <= 0) then
      sum = rise(value)
    else
      sum = ladder(rungs - 1, value + rungs) + inner(value)
    end if
  contains
    integer function inner(from)
      integer, intent(in) :: from
      integer :: index
      inner = 0
      do index = 1, from
        inner = inner + rise(index) * rungs
      end do
    end function
  end function
end module

program harbour
  use lagoon
  implicit none
  integer :: berths(24), index
  real :: depths(24)
  do index = 1, size(berths)
    berths(index) = ladder(mod(index, 5), index)
    depths(index) = sqrt(real(berths(index)))
  end do
  print *, sum(berths), maxval(depths), count(depths > 9.0)
end program
