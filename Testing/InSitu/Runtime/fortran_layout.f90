! SPDX-License-Identifier: BSD-3-Clause
!> The structures of the module for Fortran lie in memory as in C: each member's offset in bytes, and each size.
program fortran_layout
  use rivulet_insitu
  implicit none
  integer, parameter :: most = 32
  interface
    integer(c_int32_t) function layout_of_array(out) bind(c)
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), intent(out) :: out(*)
    end function
    integer(c_int32_t) function layout_of_particles(out) bind(c)
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), intent(out) :: out(*)
    end function
    integer(c_int32_t) function layout_of_variable(out) bind(c)
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), intent(out) :: out(*)
    end function
    integer(c_int32_t) function layout_of_block(out) bind(c)
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), intent(out) :: out(*)
    end function
    integer(c_int32_t) function layout_of_field(out) bind(c)
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), intent(out) :: out(*)
    end function
    integer(c_int32_t) function layout_of_mesh(out) bind(c)
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), intent(out) :: out(*)
    end function
    integer(c_int32_t) function layout_of_object(out) bind(c)
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), intent(out) :: out(*)
    end function
  end interface
  type(rivulet_array), target :: a
  type(rivulet_particles), target :: p
  type(rivulet_variable), target :: v
  type(rivulet_block), target :: b
  type(rivulet_field), target :: f
  type(rivulet_mesh), target :: m
  type(rivulet_object), target :: o
  integer(c_int64_t) :: places(most)
  integer(c_int32_t) :: members

  members = layout_of_array(places)
  call compare("rivulet_array", c_loc(a), c_sizeof(a), [c_loc(a%name), c_loc(a%type), c_loc(a%components), &
    c_loc(a%data), c_loc(a%stride), c_loc(a%size)])
  members = layout_of_particles(places)
  call compare("rivulet_particles", c_loc(p), c_sizeof(p), [c_loc(p%name), c_loc(p%count), c_loc(p%id), &
    c_loc(p%type), c_loc(p%x), c_loc(p%y), c_loc(p%z), c_loc(p%vx), c_loc(p%vy), c_loc(p%vz), c_loc(p%arrays), &
    c_loc(p%array), c_loc(p%low), c_loc(p%high), c_loc(p%periodic), c_loc(p%real), c_loc(p%stride), &
    c_loc(p%tag_stride)])
  members = layout_of_variable(places)
  call compare("rivulet_variable", c_loc(v), c_sizeof(v), [c_loc(v%name), c_loc(v%type), c_loc(v%components), &
    c_loc(v%separate), c_loc(v%stride)])
  members = layout_of_block(places)
  call compare("rivulet_block", c_loc(b), c_sizeof(b), [c_loc(b%level), c_loc(b%begin), c_loc(b%cells), &
    c_loc(b%ghosts), c_loc(b%data), c_loc(b%ghosts_above), c_loc(b%size), c_loc(b%points)])
  members = layout_of_field(places)
  call compare("rivulet_field", c_loc(f), c_sizeof(f), [c_loc(f%name), c_loc(f%centring), c_loc(f%origin), &
    c_loc(f%spacing), c_loc(f%cells), c_loc(f%levels), c_loc(f%ratio), c_loc(f%variables), c_loc(f%variable), &
    c_loc(f%blocks), c_loc(f%block), c_loc(f%coordinates), c_loc(f%points)])
  members = layout_of_mesh(places)
  call compare("rivulet_mesh", c_loc(m), c_sizeof(m), [c_loc(m%name), c_loc(m%real), c_loc(m%index), &
    c_loc(m%points), c_loc(m%point), c_loc(m%cells), c_loc(m%type), c_loc(m%offset), c_loc(m%connectivity), &
    c_loc(m%point_arrays), c_loc(m%at_point), c_loc(m%cell_arrays), c_loc(m%at_cell), c_loc(m%ghost_cells)])
  members = layout_of_object(places)
  call compare("rivulet_object", c_loc(o), c_sizeof(o), [c_loc(o%name), c_loc(o%type), c_loc(o%data), &
    c_loc(o%clone), c_loc(o%release)])

contains

  subroutine compare(name, begin, bytes, member)
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: begin, member(:)
    integer(c_size_t), intent(in) :: bytes
    integer :: i
    if (members /= size(member) + 1) then
      print *, name, " has in C", members - 1, " members, in Fortran", size(member)
      error stop 1
    end if
    do i = 1, size(member)
      if (transfer(member(i), 0_c_intptr_t) - transfer(begin, 0_c_intptr_t) /= places(i)) then
        print *, name, ": member", i, " is elsewhere in C"
        error stop 1
      end if
    end do
    if (bytes /= places(members)) then
      print *, name, " has in C", places(members), " bytes, in Fortran", bytes
      error stop 1
    end if
  end subroutine
end program
